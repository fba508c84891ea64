/** What a person set for this plugin alone; all that scores depend on is in the vault's settings note. */

export interface Preferences {
  readonly showLine: boolean;
  readonly hideBookkeeping: boolean;
  readonly showStatus: boolean;
  readonly readingIsUse: boolean;
  /** How many memories a day's review holds; 0 for all that are due. */
  readonly reviewCap: number;
}

export const DEFAULT_PREFERENCES: Preferences = {
  showLine: true,
  hideBookkeeping: false,
  showStatus: true,
  readingIsUse: false,
  reviewCap: 7,
};

/** What holds where nothing was ever stored. */
export const NEW_PREFERENCES: Preferences = { ...DEFAULT_PREFERENCES, hideBookkeeping: true };

const MOST_REVIEWED = 1000;

/** Read stored preferences; a value that makes no sense counts as the default. */
export function readPreferences(stored: unknown): Preferences {
  const given = typeof stored === "object" && stored !== null ? (stored as Record<string, unknown>) : {};
  const entries = Object.entries(DEFAULT_PREFERENCES).map(([key, standard]: [string, boolean | number]) => {
    const value = given[key];
    return [key, isLike(value, standard) ? value : standard];
  });
  return Object.fromEntries(entries) as Preferences;
}

function isLike(value: unknown, standard: boolean | number): boolean {
  if (typeof standard === "boolean") return typeof value === "boolean";
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST_REVIEWED;
}
