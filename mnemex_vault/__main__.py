"""`python -m mnemex_vault` is the command line."""

from mnemex_vault.cli.main import main

if __name__ == "__main__":
    main()
