import { type RefObject, useLayoutEffect, useState } from 'react';

/** True while an element is higher inside than it is shown. @param isMeasured false keeps the last answer */
export function useOverflow(box: RefObject<HTMLElement | null>, isMeasured = true): boolean {
  const [overflows, setOverflows] = useState(false);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || !isMeasured) return;
    const measure = () => setOverflows(current.scrollHeight > current.clientHeight + 1);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(current);
    return () => resized.disconnect();
  }, [box, isMeasured]);
  return overflows;
}
