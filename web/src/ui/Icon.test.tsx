import '../test/setup.js';
import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { ArrowRight, Flag } from 'lucide-react';
import { Icon } from './index.js';

test('only an icon with a direction mirrors, and only in Arabic', () => {
  const areMirrored = (direction: 'rtl' | 'ltr') => {
    const { container } = render(
      <div dir={direction}>
        <Icon of={ArrowRight} flip />
        <Icon of={Flag} />
      </div>,
    );
    return [...container.querySelectorAll('svg')].map((icon) => getComputedStyle(icon).transform === 'scaleX(-1)');
  };
  expect(areMirrored('rtl')).toEqual([true, false]);
  expect(areMirrored('ltr')).toEqual([false, false]);
});
