import type { KnowledgeEntry } from './entry.js';

export const voice: readonly KnowledgeEntry[] = [
  {
    id: 'send-voice',
    related: ['voice-altered', 'voice-preview', 'voice-length'],
    ar: {
      question: 'كيف أرسل رسالة صوتية؟',
      answer: 'في صفحة من تريد، اضغط «صوت» وسجّل، ثم اختر صوت رجل أو صوت امرأة، واسمع كيف سيصل، ثم أرسل.',
    },
    en: {
      question: 'How do I send a voice message?',
      answer:
        'On the page of whoever you write to, press “Voice” and record, choose a male or a female voice, hear how it will sound, and send.',
    },
  },
  {
    id: 'voice-altered',
    related: ['voice-preview', 'voice-types', 'am-i-anonymous'],
    ar: {
      question: 'هل سيتعرّف أحد على صوتي؟',
      answer:
        'يتغيّر صوتك قبل أن تصل الرسالة، ولا يُحفظ التسجيل الأصلي. لكن كلماتك ولهجتك وطريقتك في الكلام تبقى وقد تدلّ عليك، وقد يستطيع خبير أكثر من غيره؛ فلا نعدك بأن أحدًا لن يتعرّف عليك. اسمع المعاينة قبل أن ترسل.',
    },
    en: {
      question: 'Will anyone recognise my voice?',
      answer:
        'Your voice is altered before the message arrives, and the original recording is not kept. Your words, accent and way of speaking stay and may give you away, and an expert can do more than others, so we do not promise that nobody will recognise you. Listen to the preview first.',
    },
  },
  {
    id: 'voice-types',
    related: ['voice-preview', 'send-voice'],
    ar: {
      question: 'ما أنواع الأصوات التي أختار منها؟',
      answer: 'صوت رجل وصوت امرأة. اختر أحدهما قبل الإرسال؛ فالرسالة الصوتية لا تُرسل بلا اختيار.',
    },
    en: {
      question: 'Which voices can I choose from?',
      answer: 'A male voice and a female voice. Choose one before you send; a voice message is not sent without it.',
    },
  },
  {
    id: 'voice-preview',
    related: ['voice-altered', 'send-voice'],
    ar: {
      question: 'هل أسمع التسجيل قبل إرساله؟',
      answer: 'نعم: بعد التسجيل اختر الصوت واضغط «اسمع كيف سيصل». ما تسمعه هو ما يصل.',
    },
    en: {
      question: 'Can I hear the recording before sending it?',
      answer: 'Yes: after recording choose a voice and press “Hear how it will sound”. What you hear is what arrives.',
    },
  },
  {
    id: 'voice-length',
    related: ['send-voice', 'message-length'],
    ar: {
      question: 'كم مدة الرسالة الصوتية؟',
      answer: 'حتى ٣ دقائق و١٠ ميغابايت.',
    },
    en: {
      question: 'How long can a voice message be?',
      answer: 'Up to 3 minutes and 10 MB.',
    },
  },
  {
    id: 'microphone-problem',
    related: ['send-voice'],
    ar: {
      question: 'لماذا لا يعمل الميكروفون؟',
      answer:
        'اسمح للموقع باستعمال الميكروفون من إعدادات المتصفّح، وتأكّد من أن برنامجًا آخر لا يستعمله. وإن كان متصفّحك قديمًا فاستعمل متصفّحًا حديثًا.',
    },
    en: {
      question: "Why doesn't my microphone work?",
      answer:
        'Allow the site to use the microphone in your browser’s settings, and check that no other program is using it. If your browser is old, use a modern one.',
    },
  },
  {
    id: 'playback-problem',
    related: ['microphone-problem'],
    ar: {
      question: 'لماذا لا تعمل الرسالة الصوتية عندي؟',
      answer: 'أعد تحميل الصفحة وتأكّد من الاتصال ومن صوت الجهاز. تعمل الرسائل الصوتية في كل المتصفّحات الحديثة.',
    },
    en: {
      question: "Why doesn't a voice message play?",
      answer:
        'Reload the page, and check the connection and the volume of your device. Voice messages play in every modern browser.',
    },
  },
  {
    id: 'voice-recorder',
    related: ['send-voice', 'voice-preview'],
    ar: {
      question: 'كيف أوقف التسجيل مؤقتًا أو أعيده؟',
      answer:
        'أثناء التسجيل توقفه مؤقتًا وتكمله، وحين يجهز تضغط «أعد التسجيل» لتبدأ من جديد. لا يُرسل شيء قبل أن تضغط «أرسل».',
    },
    en: {
      question: 'How do I pause a recording or record again?',
      answer:
        'While recording you can pause and go on, and once it is ready “Record again” starts anew. Nothing is sent before you press “Send”.',
    },
  },
];
