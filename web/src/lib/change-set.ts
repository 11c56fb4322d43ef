/** Additions to a set and removals from it. Unlike the whole set, they take back nothing that was changed elsewhere. */
export interface SetChange<Member> {
  add?: readonly Member[];
  remove?: readonly Member[];
}

/** A set as it is after a change. */
export const changeSet = <Member>(
  members: readonly Member[],
  { add = [], remove = [] }: SetChange<Member>,
): Member[] => [...new Set([...members.filter((member) => !remove.includes(member)), ...add])];
