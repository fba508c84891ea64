"""Settings: one table, five layers, and where vault and state lie."""

from mnemex_vault.settings.kinds import WHOLE_VAULT
from mnemex_vault.settings.load import Loaded, Origin, load
from mnemex_vault.settings.locations import (
    DEFAULT_ROOT,
    Layout,
    config_folder,
    find_vault,
    machine_zone_name,
    named_in,
    plain_folder,
    read_dotenv,
    remember_vault,
    remembered_vault,
    state_base,
    state_folder,
    vault_around,
    vault_state,
)
from mnemex_vault.settings.table import PRESETS, TABLE, Setting, Settings

__all__ = [
    "DEFAULT_ROOT",
    "PRESETS",
    "TABLE",
    "WHOLE_VAULT",
    "Layout",
    "Loaded",
    "Origin",
    "Setting",
    "Settings",
    "config_folder",
    "find_vault",
    "load",
    "machine_zone_name",
    "named_in",
    "plain_folder",
    "read_dotenv",
    "remember_vault",
    "remembered_vault",
    "state_base",
    "state_folder",
    "vault_around",
    "vault_state",
]
