import { expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { DeviceVoice } from './device-voice.js';
import { useDeviceVoice } from './use-device-voice.js';

test('a recording discarded while it is read gets no voice', async () => {
  let finishReading = () => undefined as void;
  const device = {
    read: () => new Promise<void>((resolve) => (finishReading = resolve)),
    alter: jest.fn<DeviceVoice['alter']>(),
    forget: jest.fn<() => void>(),
  };
  const recording = { id: 'one', audio: new Blob(['raw voice']), seconds: 4, levels: [] };
  const { result, unmount } = renderHook(() => useDeviceVoice(device, recording));
  const voice = result.current.alter('male');
  unmount();
  expect(device.forget).toHaveBeenCalledTimes(1);
  await act(async () => {
    finishReading();
    await expect(voice).rejects.toThrow('There is nothing to alter.');
  });
  expect(device.alter).not.toHaveBeenCalled();
});
