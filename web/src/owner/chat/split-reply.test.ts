import { describe, expect, test } from '@jest/globals';
import { splitReply } from './split-reply.js';

describe('splitReply()', () => {
  test('splitReply() separates the suggested questions of the automatic mode', () => {
    expect(splitReply('The assistant is working in automatic mode. Yes.\n\nYou may also ask:\n• One?\n• Two?')).toEqual(
      {
        text: 'The assistant is working in automatic mode. Yes.',
        heading: 'You may also ask:',
        suggestions: ['One?', 'Two?'],
      },
    );
    expect(splitReply('المساعد يعمل الآن في الوضع التلقائي. نعم.\n\nقد يهمّك أيضًا:\n• كيف؟').suggestions).toEqual([
      'كيف؟',
    ]);
  });

  test("splitReply() keeps lists in a language model's reply", () => {
    const reply = 'It is simple.\n\nYou can:\n• write\n• listen';
    expect(splitReply(reply)).toEqual({ text: reply, heading: '', suggestions: [] });
  });

  test('splitReply() keeps a list in the automatic mode that no heading announces', () => {
    const reply = 'The assistant is working in automatic mode.\n\nA message may have\n• a text\n• a picture';
    expect(splitReply(reply)).toEqual({ text: reply, heading: '', suggestions: [] });
  });

  test('splitReply() keeps a reply without suggestions', () => {
    const reply = 'المساعد يعمل الآن في الوضع التلقائي. لا أستطيع رؤية الصور في هذا الوضع.';
    expect(splitReply(reply)).toEqual({ text: reply, heading: '', suggestions: [] });
  });
});
