import http from 'k6/http';
import { must } from '../lib/checks.ts';
import { createVisitor } from '../lib/visitor.ts';

type Entry = Record<'ar' | 'en', { question: string; answer: string }>;

/** Facts about the service itself that the automatic mode knows. */
const KNOWLEDGE = (
  JSON.parse(open(import.meta.resolve('../../../services/chatbot/src/knowledge/data/entries.json'))) as {
    service: Entry[];
  }
).service;
const PICTURE = open(import.meta.resolve('../../../services/media/tests/samples/photo.webp'), 'b');

/** Sentences in which the automatic mode says what it is. */
const AUTOMATIC = { ar: 'تلقائي', en: 'automatic' };
const ARABIC = /[\u0600-\u06ff]/;

/** Asks the assistant in one of the two languages. One in five asks about a picture. */
export function chat(): void {
  const language = Math.random() < 0.6 ? 'ar' : 'en';
  const { question, answer } = KNOWLEDGE[Math.floor(Math.random() * KNOWLEDGE.length)]?.[language] ?? {};
  if (question === undefined || answer === undefined) throw new Error('The knowledge is empty.');
  const visitor = createVisitor();

  let imageUrl: string | null = null;
  if (Math.random() < 0.2) {
    const uploaded = visitor.request('POST', '/api/chat/upload', {
      form: { image: http.file(PICTURE, 'picture.webp', 'image/webp') },
    });
    must('a picture is uploaded', uploaded.status === 201, uploaded);
    imageUrl = (uploaded.json as { image: { url: string } }).image.url;
  }

  const reply = visitor.request('POST', '/api/chat', { body: { message: question, imageUrl } });
  const { response = '' } = (reply.json ?? {}) as { response?: string };
  must('a question is answered', reply.status === 200 && response !== '', reply);
  must('the answer is in the language of the question', ARABIC.test(response) === (language === 'ar'), reply);
  // A language model answers in its own words.
  if (imageUrl === null && response.toLowerCase().includes(AUTOMATIC[language]))
    must('the automatic mode knows the answer', response.includes(answer), reply);
}
