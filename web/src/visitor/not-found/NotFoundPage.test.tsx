import { expect, jest, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { renderElement } from '../../test/render.js';
import { NotFoundPage } from './index.js';

test('the not-found page counts down three seconds and opens the home page', () => {
  jest.useFakeTimers();
  try {
    const goHome = jest.fn();
    renderElement(<NotFoundPage goHome={goHome} />, { language: 'ar' });
    expect(screen.getByRole('heading', { name: 'الصفحة غير موجودة' })).toBeVisible();
    expect(screen.getByRole('timer')).toHaveTextContent('سنعيدك إلى الرئيسية خلال ٣ ثوانٍ.');
    act(() => jest.advanceTimersByTime(1000));
    expect(screen.getByRole('timer')).toHaveTextContent('خلال ثانيتين.');
    act(() => jest.advanceTimersByTime(1000));
    expect(screen.getByRole('timer')).toHaveTextContent('خلال ثانية.');
    expect(goHome).not.toHaveBeenCalled();
    act(() => jest.advanceTimersByTime(1000));
    expect(goHome).toHaveBeenCalledTimes(1);
  } finally {
    jest.useRealTimers();
  }
});
