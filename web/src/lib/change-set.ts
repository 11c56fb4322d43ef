/** What to add to a set and what to remove from it. Unlike the whole set, it takes back nothing that was changed elsewhere. */
export interface SetChange<Member> {
  add?: readonly Member[];
  remove?: readonly Member[];
}

/** A set as it is after a change. */
export const changeSet = <Member>(
  members: readonly Member[],
  { add = [], remove = [] }: SetChange<Member>,
): Member[] => [...new Set([...members.filter((member) => !remove.includes(member)), ...add])];
