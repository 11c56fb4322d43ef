import { useState } from 'react';

export function useSelection(ids: readonly number[]) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [anchor, setAnchor] = useState<number | null>(null);
  const selected = ids.filter((id) => chosen.has(id));

  return {
    selected,
    has: (id: number) => chosen.has(id),
    isAll: selected.length > 0 && selected.length === ids.length,
    toggle: (id: number, isRange: boolean) => {
      const next = new Set(chosen);
      const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)];
      if (isRange && from !== -1)
        for (const each of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each);
      else if (!next.delete(id)) next.add(id);
      setChosen(next);
      setAnchor(id);
    },
    selectAll: () => setChosen(new Set(ids)),
    drop: (gone: readonly number[]) => {
      const done = new Set(gone);
      setChosen((all) => new Set([...all].filter((id) => !done.has(id))));
    },
    clear: () => {
      setChosen(new Set());
      setAnchor(null);
    },
  };
}

export type Selection = ReturnType<typeof useSelection>;
