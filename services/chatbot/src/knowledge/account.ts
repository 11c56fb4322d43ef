import type { KnowledgeEntry } from './entry.js';

export const account: readonly KnowledgeEntry[] = [
  {
    id: 'create-account',
    related: ['username-rules', 'password-rules', 'my-link'],
    ar: {
      question: 'كيف أنشئ حسابًا؟',
      answer:
        'اضغط «إنشاء حساب»، واكتب اسمك واسم المستخدم وكلمة المرور، ووافق على الشروط. تدخل مباشرة، ويصبح رابطك جاهزًا.',
    },
    en: {
      question: 'How do I create an account?',
      answer:
        'Press “Sign up”, enter your name, a username and a password, and agree to the terms. You are signed in right away, and your link is ready.',
    },
  },
  {
    id: 'username-rules',
    related: ['username-taken', 'change-username'],
    ar: {
      question: 'ما شروط اسم المستخدم؟',
      answer:
        'من ٣ إلى ٣٠ من الحروف اللاتينية والأرقام والنقطة والشرطة والشرطة السفلية، وفيه حرف أو رقم واحد على الأقل. لا فرق بين الحروف الكبيرة والصغيرة.',
    },
    en: {
      question: 'What are the rules for usernames?',
      answer:
        '3 to 30 Latin letters, digits, dots, hyphens and underscores, with at least one letter or digit. Capitals make no difference.',
    },
  },
  {
    id: 'username-taken',
    related: ['username-rules', 'create-account'],
    ar: {
      question: 'لماذا يقول إن اسم المستخدم مستعمل؟',
      answer:
        'لأن حسابًا آخر يحمله، أو يحمل اسمًا لا يختلف عنه إلا بالنقاط أو الحروف الكبيرة، أو لأنه محجوز للموقع. جرّب اسمًا قريبًا منه.',
    },
    en: {
      question: 'Why is my username already taken?',
      answer:
        'Another account has it, or one that differs only in dots or capitals, or it is kept for the site itself. Try one close to it.',
    },
  },
  {
    id: 'change-username',
    related: ['change-name', 'my-link'],
    ar: {
      question: 'هل أستطيع تغيير اسم المستخدم؟',
      answer: 'لا يتغيّر اسم المستخدم بعد التسجيل، لأن رابطك مبنيّ عليه. أما اسمك الظاهر فتغيّره من «الإعدادات» متى شئت.',
    },
    en: {
      question: 'Can I change my username?',
      answer:
        'A username stays as it was registered, since your link is built on it. The name that people see can be changed in Settings at any time.',
    },
  },
  {
    id: 'password-rules',
    related: ['change-password', 'is-it-safe'],
    ar: {
      question: 'ما شروط كلمة المرور؟',
      answer: 'من ٨ أحرف إلى ١٢٨ حرفًا، من أي حروف تريد. العبارة الطويلة التي تتذكّرها أفضل من كلمة قصيرة معقّدة.',
    },
    en: {
      question: 'What are the rules for passwords?',
      answer:
        '8 to 128 characters of any kind. A long phrase that you remember is better than a short, complicated word.',
    },
  },
  {
    id: 'change-password',
    related: ['forgot-password', 'where-signed-in'],
    ar: {
      question: 'كيف أغيّر كلمة المرور؟',
      answer: 'من «الإعدادات»: اكتب كلمة المرور الحالية ثم الجديدة. بعدها تنتهي جلساتك على الأجهزة الأخرى كلها.',
    },
    en: {
      question: 'How do I change my password?',
      answer:
        'In Settings: enter your current password and then the new one. Your sessions on all other devices end with it.',
    },
  },
  {
    id: 'forgot-password',
    related: ['login-problem', 'change-password'],
    ar: {
      question: 'نسيت كلمة المرور، ماذا أفعل؟',
      answer:
        'لا توجد حاليًا استعادة لكلمة المرور عبر البريد. جرّب كلماتك المعتادة على مهل، وانظر في مدير كلمات المرور في متصفّحك؛ فقد تكون محفوظة فيه.',
    },
    en: {
      question: 'I forgot my password. What now?',
      answer:
        "There is no password recovery by e-mail at present. Try your usual ones calmly, and look into your browser's password manager, which may have kept it.",
    },
  },
  {
    id: 'login-problem',
    related: ['forgot-password', 'too-many-attempts'],
    ar: {
      question: 'لا أستطيع تسجيل الدخول، لماذا؟',
      answer:
        'ادخل من «تسجيل الدخول» باسم المستخدم لا بالبريد، وتحقّق من لغة لوحة المفاتيح وكلمة المرور. إن قال الموقع إن المحاولات كثيرة فانتظر قليلًا.',
    },
    en: {
      question: "Why can't I sign in?",
      answer:
        'Sign in with your username, not your e-mail address, and check the keyboard language and the password. If the site says there were too many attempts, wait a little.',
    },
  },
  {
    id: 'too-many-attempts',
    related: ['login-problem', 'sending-limits'],
    ar: {
      question: 'لماذا يقول إن المحاولات كثيرة؟',
      answer: 'حتى لا يخمّن أحد كلمات المرور: عشر محاولات في ربع ساعة. انتظر المدة التي يذكرها الموقع ثم حاول من جديد.',
    },
    en: {
      question: 'Why does it say too many attempts?',
      answer:
        'So that nobody can guess passwords: ten tries in a quarter of an hour. Wait for the time that the site names and try again.',
    },
  },
  {
    id: 'logout',
    related: ['where-signed-in', 'stay-signed-in'],
    ar: {
      question: 'كيف أسجّل الخروج؟',
      answer: 'من قائمة حسابك في أعلى الصفحة اختر «تسجيل الخروج».',
    },
    en: {
      question: 'How do I log out?',
      answer: 'Choose “Log out” in your account menu at the top of the page.',
    },
  },
  {
    id: 'where-signed-in',
    related: ['change-password', 'stay-signed-in'],
    ar: {
      question: 'كيف أعرف الأجهزة التي تدخل حسابي؟',
      answer: 'في «الإعدادات» قائمة بجلساتك: الجهاز وآخر نشاط. تُنهي منها جلسة واحدة، أو كل الجلسات الأخرى معًا.',
    },
    en: {
      question: 'On which devices am I signed in?',
      answer:
        'Settings lists your sessions with the device and when it was last active. End one of them there, or all others at once.',
    },
  },
  {
    id: 'stay-signed-in',
    related: ['where-signed-in', 'logout'],
    ar: {
      question: 'كم أبقى مسجّل الدخول؟',
      answer: 'ثلاثين يومًا من آخر استعمال، ما لم تسجّل الخروج أو تغيّر كلمة المرور من جهاز آخر.',
    },
    en: {
      question: 'How long do I stay signed in?',
      answer: 'Thirty days from your last use, unless you log out or change the password on another device.',
    },
  },
  {
    id: 'delete-account',
    related: ['delete-message', 'what-is-kept'],
    ar: {
      question: 'كيف أحذف حسابي؟',
      answer:
        'من «الإعدادات»، قسم «بياناتك»، بكلمة المرور. تُغلق صفحتك فورًا، ولديك أسبوع لتدخل وتلغي الحذف. بعده يُحذف كل ما هو لك، ويبقى ما أرسلته عند من وصله بلا رابط إليك.',
    },
    en: {
      question: 'How do I delete my account?',
      answer:
        'In Settings, under Your data, with your password. Your page closes at once, and for a week you can sign in and cancel. After that everything of yours is deleted. What you sent stays with those who received it, with nothing leading to you.',
    },
  },
];
