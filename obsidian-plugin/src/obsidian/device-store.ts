/** What belongs to this device alone: kept by the app outside of the vault, and checked by whoever reads it. */

import type { App } from "obsidian";

export interface DeviceStore {
  load(key: string): unknown;
  save(key: string, value: unknown): void;
}

const PREFIX = "mnemex-vault-";

/** Return the app's storage for this vault on this device. */
export function deviceStore(app: App): DeviceStore {
  return {
    load: (key) => app.loadLocalStorage(PREFIX + key) as unknown,
    save: (key, value) => app.saveLocalStorage(PREFIX + key, value),
  };
}
