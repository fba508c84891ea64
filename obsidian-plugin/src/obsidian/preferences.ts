/** What a person set for this plugin alone; all that scores depend on is in the vault's settings note. */

export interface Preferences {
  readonly showLine: boolean;
  readonly hideBookkeeping: boolean;
  readonly showStatus: boolean;
  readonly readingIsUse: boolean;
}

export const DEFAULT_PREFERENCES: Preferences = {
  showLine: true,
  hideBookkeeping: false,
  showStatus: true,
  readingIsUse: false,
};

/** What holds where nothing was ever stored. */
export const NEW_PREFERENCES: Preferences = { ...DEFAULT_PREFERENCES, hideBookkeeping: true };

/** Read stored preferences; anything else than true or false counts as the default. */
export function readPreferences(stored: unknown): Preferences {
  const given = typeof stored === "object" && stored !== null ? (stored as Record<string, unknown>) : {};
  const read = (key: keyof Preferences): boolean => {
    const value = given[key];
    return typeof value === "boolean" ? value : DEFAULT_PREFERENCES[key];
  };
  return {
    showLine: read("showLine"),
    hideBookkeeping: read("hideBookkeeping"),
    showStatus: read("showStatus"),
    readingIsUse: read("readingIsUse"),
  };
}
