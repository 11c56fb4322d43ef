/** Changes that are remembered one by one. */
const MAX_CHANGES = 10_000;

/** Tells whether something has changed since a fetch began, so that what it fetched may be older than the change. */
export interface ChangeLog {
  /** A fetch begins. @returns its position in the log; each call needs its own `end` */
  begin(): number;
  end(): void;
  add(tag: string): void;
  /** Any tag may have changed. */
  addAll(): void;
  hasChanged(tags: readonly string[], since: number): boolean;
}

/** The log is empty while no fetch is under way. */
export function createChangeLog(): ChangeLog {
  /** Position of the last change of each tag. */
  const positions = new Map<string, number>();
  let position = 0;
  /** Changes up to this position count as changes of every tag. */
  let allChangedAt = 0;
  let running = 0;

  const addAll = (): void => {
    position += 1;
    allChangedAt = position;
    positions.clear();
  };

  return {
    begin() {
      running += 1;
      return position;
    },
    end() {
      running -= 1;
      if (running === 0) positions.clear();
    },
    add(tag) {
      position += 1;
      if (running === 0) return;
      positions.set(tag, position);
      if (positions.size > MAX_CHANGES) addAll();
    },
    addAll,
    hasChanged: (tags, since) => since < allChangedAt || tags.some((tag) => (positions.get(tag) ?? 0) > since),
  };
}
