/** Unlike a whole set, reverts nothing that was changed elsewhere. */
export interface SetChange<Member> {
  add?: readonly Member[];
  remove?: readonly Member[];
}

export const changeSet = <Member>(
  members: readonly Member[],
  { add = [], remove = [] }: SetChange<Member>,
): Member[] => [...new Set([...members.filter((member) => !remove.includes(member)), ...add])];
