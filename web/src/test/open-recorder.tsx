import './setup.js';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { VoiceRecorder } from '../visitor/recorder/index.js';
import type { Language } from '../i18n/index.js';
import { renderElement } from './render.js';
import { startApi, type Answers } from './server.js';

const PREVIEW: Answers = { 'POST /audio/preview': { body: { previewUrl: '/audio/stream/preview' } } };
const UPLOAD: Answers = { 'POST /audio/upload': { status: 201, body: { id: 1, content: '' } } };

function Desk() {
  const [promptId, setPromptId] = useState<number | undefined>(4);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const [sent, setSent] = useState(false);
  const [occupied, setOccupied] = useState(false);
  return (
    <>
      {sent ? (
        <p>It is sent.</p>
      ) : (
        <VoiceRecorder
          id="recorder"
          recipient={{ id: 7, username: 'noura', name: 'Noura' }}
          promptId={promptId}
          onPromptGone={() => setPromptId(undefined)}
          sendSlot={slot}
          onHasRecordingChange={setOccupied}
          onSent={() => {
            setSent(true);
            return Promise.resolve(false);
          }}
        />
      )}
      <div ref={setSlot} />
      <output>{occupied ? 'occupied' : 'free'}</output>
    </>
  );
}

export async function openRecorder({ answers = {}, language = 'en' }: { answers?: Answers; language?: Language } = {}) {
  const api = await startApi({ ...PREVIEW, ...UPLOAD, ...answers });
  return { api, ...renderElement(<Desk />, { apiRoot: api.apiRoot, language }) };
}

/** One in the player and one below the choice of voice. */
const hearButtons = () => screen.getAllByRole<HTMLButtonElement>('button', { name: 'Hear how it will sound' });
export const hearIt = (user: UserEvent) => user.click(hearButtons().at(-1) ?? document.body);

export const button = (name: string) => screen.getByRole('button', { name });
export const status = () => screen.getAllByRole('status').find(({ tagName }) => tagName === 'P');

export async function record(options?: Parameters<typeof openRecorder>[0]) {
  const view = await openRecorder(options);
  await view.user.click(button('Start recording'));
  await view.user.click(await screen.findByRole('button', { name: 'Stop' }));
  await screen.findByText('Recording ready');
  return view;
}
