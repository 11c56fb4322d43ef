import http from 'k6/http';
import { messagesSent, must } from '../lib/checks.ts';
import { messageOf, messagesOf, type Link } from '../lib/people.ts';
import { createVisitor, randomText } from '../lib/visitor.ts';

/** Recordings of the browsers, with their lengths in seconds. */
const RECORDINGS = [
  { file: 'speech-en-woman-103.webm', type: 'audio/webm', seconds: 11 },
  { file: 'speech-en-woman-1069.mp4', type: 'audio/mp4', seconds: 11 },
  { file: 'speech-ar-1.webm', type: 'audio/webm', seconds: 7 },
  { file: 'speech-ar-3.ogg', type: 'audio/ogg', seconds: 7 },
].map((recording) => ({
  ...recording,
  content: open(import.meta.resolve(`../../../services/media/tests/samples/${recording.file}`), 'b'),
}));

const isMp4 = (bytes: Uint8Array): boolean => String.fromCharCode(...bytes.slice(4, 8)) === 'ftyp';

/** Sends a voice message, and listens to it as its recipient. One in four hears a preview first. */
export function voice(links: readonly Link[]): void {
  const link = links[Math.floor(Math.random() * links.length)];
  const recording = RECORDINGS[Math.floor(Math.random() * RECORDINGS.length)];
  if (link === undefined || recording === undefined) throw new Error('The set-up prepared nothing to send.');
  const sender = createVisitor();
  const voiceType = Math.random() < 0.5 ? 'male' : 'female';
  const audio = http.file(recording.content, recording.file, recording.type);

  if (Math.random() < 0.25) {
    const preview = sender.request('POST', '/api/audio/preview', { form: { voiceType, isPreview: 'true', audio } });
    const { previewUrl = '' } = (preview.json ?? {}) as { previewUrl?: string };
    must('a preview is made', preview.status === 200 && previewUrl !== '', preview);
    const heard = sender.request('GET', `/api${previewUrl}`, { isBinary: true, name: 'GET /api/audio/stream/{id}' });
    must('a preview is a sound', heard.status === 200 && isMp4(heard.bytes), heard);
  }

  const sent = sender.request('POST', '/api/audio/upload', {
    form: { userId: String(link.id), voiceType, audio },
    headers: { 'Idempotency-Key': randomText(16) },
  });
  must('a voice message is accepted', sent.status === 201, sent);
  messagesSent.add(1);
  const { id, audioUrl, audioDuration } = messageOf(sent);
  must('its length was measured', Math.abs((audioDuration ?? 0) - recording.seconds) <= 1, sent);

  const owner = createVisitor(link.cookie);
  const inbox = owner.request('GET', '/api/messages?limit=100', { name: 'GET /api/messages' });
  must(
    'the inbox has the voice message',
    messagesOf(inbox).some((message) => message.id === id),
    inbox,
  );
  const sound = `/api${audioUrl ?? ''}`;
  const start = owner.request('GET', sound, {
    isBinary: true,
    headers: { Range: 'bytes=0-1023' },
    name: 'GET /api/audio/stream/{id}',
  });
  must('its recipient hears it', start.status === 206 && start.bytes.length === 1024 && isMp4(start.bytes), start);
  const stranger = createVisitor().request('GET', sound, {
    expected: [404],
    name: 'GET /api/audio/stream/{id} of another',
  });
  must('nobody else hears it', stranger.status === 404, stranger);
}
