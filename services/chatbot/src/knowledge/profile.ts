import type { KnowledgeEntry } from './entry.js';

export const profile: readonly KnowledgeEntry[] = [
  {
    id: 'change-name',
    related: ['change-username', 'change-bio', 'change-avatar'],
    ar: {
      question: 'كيف أغيّر اسمي الظاهر؟',
      answer: 'من «الإعدادات» اكتب الاسم الجديد واضغط «احفظ التغييرات». الاسم حتى ٦٠ حرفًا.',
    },
    en: {
      question: 'How do I change my name?',
      answer: 'Enter the new name in Settings and press “Save changes”. A name has up to 60 characters.',
    },
  },
  {
    id: 'change-bio',
    related: ['change-name', 'change-avatar'],
    ar: {
      question: 'كيف أضيف نبذة عنّي؟',
      answer: 'من «الإعدادات» اكتب النبذة، حتى ٣٠٠ حرف، واضغط «احفظ التغييرات». تظهر في صفحتك العامة.',
    },
    en: {
      question: 'How do I add a bio?',
      answer: 'Write it in Settings, up to 300 characters, and press “Save changes”. It shows on your public page.',
    },
  },
  {
    id: 'change-avatar',
    related: ['avatar-problem', 'change-name'],
    ar: {
      question: 'كيف أغيّر صورتي الشخصية؟',
      answer:
        'من «الإعدادات» اضغط «غيّر الصورة» واحفظ: حجمها حتى ٢ ميغابايت، وتُقصّ مربّعة، وتظهر في صفحتك فورًا. و«أزل الصورة» تعيد الحرف الأول من اسمك.',
    },
    en: {
      question: 'How do I change my profile picture?',
      answer:
        'Open Settings, press “Change photo” and save: it may have up to 2 MB, is cut square, and shows on your page right away. “Remove photo” brings back the first letter of your name.',
    },
  },
  {
    id: 'avatar-problem',
    related: ['change-avatar'],
    ar: {
      question: 'لماذا لا تُرفع صورتي الشخصية؟',
      answer: 'لأنها أكبر من ٢ ميغابايت، أو لأن الملف ليس صورة. صغّرها أو اختر JPG أو PNG أو WebP أو GIF.',
    },
    en: {
      question: "Why can't I upload my profile picture?",
      answer: 'It is over 2 MB, or the file is no picture. Make it smaller, or choose a JPG, PNG, WebP or GIF.',
    },
  },
  {
    id: 'email',
    related: ['email-visible', 'forgot-password'],
    ar: {
      question: 'كيف أضيف بريدي الإلكتروني أو أغيّره؟',
      answer:
        'من «الإعدادات»، في خانة البريد، اكتبه واضغط «تحديث». البريد اختياري ولا يُطلب عند التسجيل، ويكون لحساب واحد.',
    },
    en: {
      question: 'How do I add or change my e-mail address?',
      answer:
        'Enter it in the e-mail form in Settings and press “Update”. It is optional, is not asked for at registration, and belongs to one account.',
    },
  },
  {
    id: 'email-visible',
    related: ['email', 'what-is-kept'],
    ar: {
      question: 'هل يرى الناس بريدي؟',
      answer: 'لا. بريدك لا يظهر في صفحتك العامة ولا لمن يراسلك؛ تراه أنت في إعداداتك.',
    },
    en: {
      question: 'Can people see my e-mail address?',
      answer:
        'No. It is not on your public page and not shown to anyone who writes to you; you see it in your settings.',
    },
  },
  {
    id: 'gender',
    related: ['change-name'],
    ar: {
      question: 'هل أستطيع تغيير الجنس في حسابي؟',
      answer: 'خانة الجنس في الإعدادات للقراءة فقط حاليًا، ولا تظهر في صفحتك العامة.',
    },
    en: {
      question: 'Can I change my gender?',
      answer: 'The gender field in Settings is read-only at present, and it does not show on your public page.',
    },
  },
  {
    id: 'verified-tick',
    related: ['premium-banner'],
    ar: {
      question: 'كيف أحصل على علامة التوثيق؟',
      answer: 'علامة التوثيق تُعطى من إدارة الموقع، ولا يوجد طلب لها ولا شراء.',
    },
    en: {
      question: 'How do I get verified?',
      answer: "The tick is given by the site's own team. It cannot be applied for or bought.",
    },
  },
  {
    id: 'premium-banner',
    related: ['verified-tick'],
    ar: {
      question: 'ما معنى PREMIUM وVIP في صفحة أحدهم؟',
      answer: 'هذه الشارات لحسابات مطوّري الموقع: المشرف الموثّق تظهر صفحته بهذا الشكل. وهي ليست اشتراكًا.',
    },
    en: {
      question: 'What do PREMIUM and VIP mean on a page?',
      answer:
        "These mark the accounts of the site's developers: the page of a verified administrator looks like that. It is no subscription.",
    },
  },
  {
    id: 'visit-counter',
    related: ['online-status', 'share-link'],
    ar: {
      question: 'كيف تُحسب الزيارات؟',
      answer: 'تُحسب الزيارة مرة لكل زائر في نصف ساعة، ولا تُحسب زياراتك لصفحتك. العدّاد رقم فقط: لا يقول من زارك.',
    },
    en: {
      question: 'How are visits counted?',
      answer:
        'A visit counts once for each visitor in half an hour, and your own never do. The counter is only a number: it does not say who came.',
    },
  },
  {
    id: 'online-status',
    related: ['visit-counter'],
    ar: {
      question: 'متى يظهر «ظهور خلال الساعة»، ومتى «آخر ظهور»؟',
      answer:
        '«ظهور خلال الساعة» لمن قرأ صفحاته أو دخل حسابه قبل نحو ساعة، وإلا ظهر وقت آخر ظهور تقريبًا. الإرسال وفتح الردود لا يظهران فيه، ويمكن إخفاؤه من الإعدادات.',
    },
    en: {
      question: 'What do “active this hour” and “last seen” mean?',
      answer:
        '“Active this hour” is whoever read their own pages or signed in within about an hour; otherwise the rough time of the last visit shows. Sending and opening replies do not show in it, and the settings can hide it.',
    },
  },
  {
    id: 'my-link',
    related: ['share-link', 'change-username'],
    ar: {
      question: 'أين أجد رابطي؟',
      answer: 'في ملفك، في بطاقة «رابطك»، ومنها تنسخه بضغطة. شكله: عنوان الموقع ثم ‎/m/ ثم اسم المستخدم.',
    },
    en: {
      question: 'Where do I find my link?',
      answer:
        'In your profile, on the card “Your link”, where one press copies it. It is the site’s address, then /m/, then your username.',
    },
  },
  {
    id: 'share-link',
    related: ['my-link', 'who-can-open'],
    ar: {
      question: 'كيف أشارك رابطي؟',
      answer:
        'من بطاقة «رابطك» في ملفك اختر أين تشاركه، أو انسخه وأضفه ملصقًا في القصّة أو في نبذتك على مواقع أخرى. كل من يفتحه يستطيع أن يكتب لك.',
    },
    en: {
      question: 'How do I share my link?',
      answer:
        'On the card “Your link” in your profile choose where to share it, or copy it and add it to a story or to your bio elsewhere. Whoever opens it can write to you.',
    },
  },
  {
    id: 'who-can-open',
    related: ['share-link', 'page-missing'],
    ar: {
      question: 'من يستطيع فتح صفحتي؟',
      answer:
        'كل من معه رابطك، بحساب أو من دونه. يرى اسمك وصورتك ونبذتك والرسائل التي نشرتها أنت، ولا يرى رسائلك الخاصة.',
    },
    en: {
      question: 'Who can open my page?',
      answer:
        'Anyone who has your link, with or without an account. They see your name, picture, bio and the messages that you published, and never your private ones.',
    },
  },
  {
    id: 'page-missing',
    related: ['my-link', 'who-can-open'],
    ar: {
      question: 'لماذا يقول إن المستخدم غير موجود؟',
      answer: 'لأن في الرابط خطأ في اسم المستخدم غالبًا. اطلب الرابط من صاحبه من جديد وافتحه كما هو.',
    },
    en: {
      question: 'Why does it say user not found?',
      answer:
        'Most likely there is a mistake in the username of the link. Ask its owner for the link again and open it as it is.',
    },
  },
];
