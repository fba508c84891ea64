"""What Claude Desktop starts: the server of the vault that was chosen there."""

from mnemex_vault.cli.main import main

main(["serve"])
