import type { KnowledgeEntry } from './entry.js';

export const about: readonly KnowledgeEntry[] = [
  {
    id: 'hello',
    related: ['what-is-najwa', 'create-account', 'send-message'],
    ar: {
      question: 'مرحبًا',
      answer: 'أهلًا بك! أنا مساعد نجوى. اسألني عن الرسائل أو الصوت أو حسابك أو خصوصيتك.',
    },
    en: {
      question: 'Hello',
      answer: "Hello! I'm Najwa's assistant. Ask me about messages, voice, your account or your privacy.",
    },
  },
  {
    id: 'thanks',
    related: ['share-link'],
    ar: {
      question: 'شكرًا',
      answer: 'على الرحب والسعة. أنا هنا متى احتجت إلى شيء.',
    },
    en: {
      question: 'Thank you',
      answer: "You're welcome. I'm here whenever you need something.",
    },
  },
  {
    id: 'goodbye',
    related: [],
    ar: { question: 'مع السلامة', answer: 'مع السلامة، ونراك قريبًا.' },
    en: { question: 'Goodbye', answer: 'Goodbye, and see you soon.' },
  },
  {
    id: 'what-is-najwa',
    related: ['how-it-works', 'am-i-anonymous', 'is-it-free'],
    ar: {
      question: 'ما هي نجوى؟',
      answer:
        'نجوى مساحة هادئة لكلام صريح: تنشئ صفحتك، وتشارك رابطك، فيكتب لك الناس من دون أن ترى أسماءهم. وأنت من يقرّر ما يُنشر من رسائلك.',
    },
    en: {
      question: 'What is Najwa?',
      answer:
        'Najwa is a quiet place for honest words: you make a page, share your link, and people write to you without you seeing their names. You decide which messages become public.',
    },
  },
  {
    id: 'how-it-works',
    related: ['create-account', 'my-link', 'send-message'],
    ar: {
      question: 'كيف تعمل نجوى؟',
      answer:
        'ثلاث خطوات: أنشئ حسابًا، ثم شارك رابطك، ثم استقبل الرسائل في ملفك. من يفتح رابطك يكتب لك مباشرة، بحساب أو من دونه.',
    },
    en: {
      question: 'How does Najwa work?',
      answer:
        'Three steps: create an account, share your link, and receive messages in your profile. Whoever opens your link can write to you right away, with or without an account.',
    },
  },
  {
    id: 'is-it-free',
    related: ['create-account', 'verified-tick'],
    ar: {
      question: 'هل نجوى مجانية؟',
      answer: 'لا يوجد في نجوى دفع ولا اشتراك: كل ما تراه في الموقع متاح لكل حساب.',
    },
    en: {
      question: 'Is Najwa free?',
      answer: 'There is no payment and no subscription in Najwa: what you see on the site is there for every account.',
    },
  },
  {
    id: 'change-language',
    related: ['how-it-works'],
    ar: {
      question: 'كيف أغيّر لغة الموقع؟',
      answer: 'من زر اللغة في أعلى كل صفحة تنتقل بين العربية والإنجليزية، ويتذكّر متصفّحك اختيارك.',
    },
    en: {
      question: 'How do I change the language?',
      answer:
        'The language button at the top of every page switches between Arabic and English, and your browser remembers the choice.',
    },
  },
  {
    id: 'dark-mode',
    related: ['change-language'],
    ar: {
      question: 'هل يوجد وضع داكن؟',
      answer: 'نعم. تتبع نجوى إعداد جهازك: إن كان على الوضع الداكن ظهرت الصفحات داكنة.',
    },
    en: {
      question: 'Is there a dark mode?',
      answer: 'Yes. Najwa follows your device: when that is set to dark, the pages are dark too.',
    },
  },
  {
    id: 'mobile-app',
    related: ['how-it-works'],
    ar: {
      question: 'هل لنجوى تطبيق؟',
      answer: 'لا يوجد تطبيق، ولا حاجة إليه: تعمل نجوى في متصفّح الهاتف كما تعمل على الحاسوب.',
    },
    en: {
      question: 'Is there an app?',
      answer: "There is no app, and you don't need one: Najwa works in your phone's browser just as on a computer.",
    },
  },
  {
    id: 'who-is-the-assistant',
    related: ['automatic-mode', 'assistant-privacy', 'what-is-najwa'],
    ar: {
      question: 'من أنت؟',
      answer: 'أنا مساعد نجوى، برنامج لا إنسان. أجيب عن الموقع وطريقة استعماله، ولا أرى حسابك ولا رسائلك ولا من كتبها.',
    },
    en: {
      question: 'Who are you?',
      answer:
        "I'm Najwa's assistant, a program and not a person. I answer questions about the site; I can't see your account, your messages or who wrote them.",
    },
  },
  {
    id: 'automatic-mode',
    related: ['who-is-the-assistant', 'assistant-picture'],
    ar: {
      question: 'ما هو الوضع المحلي؟',
      answer:
        'هو وضع أجيب فيه من معلومات مكتوبة عن نجوى، من دون الذكاء الاصطناعي. يعمل حين لا يكون الذكاء الاصطناعي متاحًا.',
    },
    en: {
      question: 'What is local mode?',
      answer:
        'In it I answer from what is written down about Najwa, without artificial intelligence. It steps in when that is not available.',
    },
  },
  {
    id: 'assistant-picture',
    related: ['automatic-mode', 'assistant-privacy'],
    ar: {
      question: 'هل أستطيع إرسال صورة إلى المساعد؟',
      answer:
        'نعم، من زر الصورة في نافذة المحادثة: JPG أو PNG أو GIF حتى ٥ ميغابايت. أراها حين يعمل الذكاء الاصطناعي، ولا أراها في الوضع المحلي.',
    },
    en: {
      question: 'Can I send a picture to the assistant?',
      answer:
        'Yes, with the image button in the chat window: JPG, PNG or GIF, up to 5 MB. I see it when the AI is working, and not in local mode.',
    },
  },
  {
    id: 'assistant-cannot-act',
    related: ['who-is-the-assistant', 'contact'],
    ar: {
      question: 'هل تستطيع أن تفعل شيئًا في حسابي بدلًا عني؟',
      answer: 'لا. لا أرى حسابك ولا أستطيع أن أغيّر فيه شيئًا. أشرح لك أين تفعله بنفسك.',
    },
    en: {
      question: 'Can you do something in my account for me?',
      answer: 'No. I cannot see your account or change anything in it. I can explain where you do it yourself.',
    },
  },
  {
    id: 'assistant-history',
    related: ['assistant-privacy', 'automatic-mode'],
    ar: {
      question: 'أين محادثاتي السابقة مع المساعد؟',
      answer:
        'يحفظ متصفّحك آخر خمسين سطرًا وتجدها حين تفتح نافذة المساعد من جديد. ما قلته وأنت داخل حسابك يزول من المتصفّح حين تخرج منه.',
    },
    en: {
      question: 'Where are my earlier chats with the assistant?',
      answer:
        'Your browser keeps the last fifty lines, and you find them when you open the assistant again. What you said while signed in leaves the browser when you sign out.',
    },
  },
];
