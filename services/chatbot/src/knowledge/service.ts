import type { KnowledgeEntry } from './entry.js';

/** The site itself, those who run it, and what it does not have. */
export const service: readonly KnowledgeEntry[] = [
  {
    id: 'in-danger',
    related: [],
    ar: {
      question: 'أفكّر في إيذاء نفسي',
      answer:
        'يؤسفني أنك تمرّ بهذا، ولست وحدك. أنا برنامج ولا أكفي هنا: كلّم الآن شخصًا قريبًا تثق به، أو رقم الطوارئ في بلدك. وإن كنت في خطر في هذه اللحظة فاتصل بالطوارئ فورًا.',
    },
    en: {
      question: 'I am thinking of hurting myself',
      answer:
        'I am sorry that you are going through this, and you are not alone. I am a program, which is not enough here: talk now to somebody near you whom you trust, or call the emergency number of your country. If you are in danger at this moment, call it at once.',
    },
  },
  {
    id: 'contact',
    related: ['site-problem', 'bad-messages'],
    ar: {
      question: 'كيف أتواصل مع فريق الموقع؟',
      answer:
        'في صفحة «تواصل معنا»، ورابطها في أسفل الموقع، إلى أين تتوجّه بحسب ما تريد. وأجيبك أنا هنا عن استعمال الموقع.',
    },
    en: {
      question: 'How do I contact the team?',
      answer:
        'The page “Contact”, linked at the bottom of the site, says where to turn. I answer questions about using the site here.',
    },
  },
  {
    id: 'who-made-it',
    related: ['what-is-najwa', 'who-are-admins'],
    ar: {
      question: 'من صنع نجوى؟',
      answer: 'صنعها فريق نجوى: التصميم والبرمجة والنصوص. في أسفل نافذة المساعد رابط إلى أعماله.',
    },
    en: {
      question: 'Who made Najwa?',
      answer:
        'The Najwa team made it: design, code and texts. A link to its work stands at the bottom of the assistant’s window.',
    },
  },
  {
    id: 'site-problem',
    related: ['login-problem', 'message-problem', 'contact'],
    ar: {
      question: 'الموقع لا يعمل عندي، ماذا أفعل؟',
      answer:
        'تحقّق من اتصالك، وأعد تحميل الصفحة، واستعمل متصفّحًا حديثًا. ما كتبته ولم يُرسل أعد إرساله؛ فالرسالة لا تصل مرتين.',
    },
    en: {
      question: 'The site does not work for me. What can I do?',
      answer:
        'Check your connection, reload the page, and use a modern browser. What was not sent can be sent again: a message never arrives twice.',
    },
  },
  {
    id: 'terms',
    related: ['what-is-kept', 'cookies'],
    ar: {
      question: 'أين شروط الاستخدام وسياسة الخصوصية؟',
      answer:
        'روابطها في أسفل الموقع: «شروط الاستخدام» و«الخصوصية» و«ملفات الارتباط». وتستطيع أن تسألني أيضًا عمّا يُحفظ ومن يراه.',
    },
    en: {
      question: 'Where are the terms of use and the privacy policy?',
      answer:
        'They are linked at the bottom of the site: “Terms”, “Privacy” and “Cookies”. You can also ask me what is kept and who sees it.',
    },
  },
  {
    id: 'ads',
    related: ['is-it-free', 'cookies'],
    ar: {
      question: 'هل في نجوى إعلانات؟',
      answer: 'لا. لا إعلانات في نجوى، ولا تتصل صفحاتها بمواقع أخرى.',
    },
    en: {
      question: 'Are there ads in Najwa?',
      answer: 'No. Najwa has no advertising, and its pages load nothing from other sites.',
    },
  },
  {
    id: 'reviews',
    related: ['what-is-najwa'],
    ar: {
      question: 'هل الآراء في الصفحة الرئيسية حقيقية؟',
      answer: 'هي أمثلة على ما صُنعت له نجوى، كتبها فريقها بأسماء متخيَّلة. ولا يوجد حاليًا مكان لكتابة رأي.',
    },
    en: {
      question: 'Are the reviews on the home page real?',
      answer:
        'They are examples of what Najwa is made for, written by its team under invented names. There is no place for writing a review at present.',
    },
  },
  {
    id: 'find-someone',
    related: ['send-message', 'my-link'],
    ar: {
      question: 'كيف أبحث عن شخص في نجوى؟',
      answer:
        'لا يوجد بحث عن الأشخاص ولا قائمة أصدقاء. تحتاج إلى رابطه، وفي آخره اسم المستخدم: عنوان الموقع ثم ‎/m/ ثم اسمه.',
    },
    en: {
      question: 'How do I find a person on Najwa?',
      answer:
        'People cannot be searched for, and there are no lists of friends. You need their link: the site’s address, then /m/, then their username.',
    },
  },
  {
    id: 'social-login',
    related: ['create-account', 'login-problem'],
    ar: {
      question: 'هل أدخل بحساب Google أو فيسبوك؟',
      answer: 'لا، الدخول باسم المستخدم وكلمة المرور في نجوى فقط.',
    },
    en: {
      question: 'Can I sign in with Google or Facebook?',
      answer: 'No, you sign in with your Najwa username and password only.',
    },
  },
  {
    id: 'two-factor',
    related: ['is-it-safe', 'where-signed-in', 'password-rules'],
    ar: {
      question: 'هل يوجد تحقّق بخطوتين؟',
      answer: 'لا، غير متاح حاليًا. اختر كلمة مرور طويلة لا تستعملها في موقع آخر، وراجع جلساتك في «الإعدادات».',
    },
    en: {
      question: 'Is there two-factor authentication?',
      answer:
        'No, not at present. Choose a long password that you use nowhere else, and look at your sessions in Settings.',
    },
  },
  {
    id: 'second-account',
    related: ['create-account', 'change-username'],
    ar: {
      question: 'هل أستطيع إنشاء أكثر من حساب؟',
      answer: 'نعم، ولكل حساب اسم مستخدم ورابط. ومن أراد أن يضيف بريدًا فلكل حساب بريد مختلف.',
    },
    en: {
      question: 'Can I have more than one account?',
      answer:
        'Yes, each with its own username and link. An e-mail address, if you add one, belongs to one account only.',
    },
  },
];
