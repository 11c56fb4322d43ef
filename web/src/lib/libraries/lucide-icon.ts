import type { IconNode } from 'lucide-react';
import { createElement, type FunctionComponent, type SVGProps } from 'react';

/** Lucide's own also supports other frameworks. Icon.tsx sets size, stroke and accessibility. */
export default ({ node }: { node: IconNode }): FunctionComponent<SVGProps<SVGSVGElement> & { size?: number }> =>
  ({ size, ...rest }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...rest,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
