import type { KnowledgeEntry } from './entry.js';

export const profile: readonly KnowledgeEntry[] = [
  {
    id: 'change-name',
    related: ['change-username', 'change-bio', 'change-avatar'],
    ar: {
      question: 'كيف أغيّر اسمي الظاهر؟',
      also: ['تغيير الاسم', 'ابغى اعدل اسمي', 'ازاي اغير اسمي', 'الاسم اللي يظهر في صفحتي'],
      answer: 'من «الإعدادات» اكتب الاسم الجديد واضغط «احفظ التغييرات». الاسم حتى ٦٠ حرفًا.',
    },
    en: {
      question: 'How do I change my name?',
      also: ['edit my display name', 'update my name', 'change the name on my page'],
      answer: 'Enter the new name in Settings and press “Save changes”. A name has up to 60 characters.',
    },
  },
  {
    id: 'change-bio',
    related: ['change-name', 'change-avatar'],
    ar: {
      question: 'كيف أضيف نبذة عنّي؟',
      also: ['تعديل البايو', 'كيف اكتب وصف في صفحتي', 'كم حرف النبذة', 'وين احط البايو'],
      answer: 'من «الإعدادات» اكتب النبذة، حتى ٣٠٠ حرف، واضغط «احفظ التغييرات». تظهر في صفحتك العامة.',
    },
    en: {
      question: 'How do I add a bio?',
      also: ['edit my bio', 'write something about me', 'how long can the bio be', 'change description on my page'],
      answer: 'Write it in Settings, up to 300 characters, and press “Save changes”. It shows on your public page.',
    },
  },
  {
    id: 'change-avatar',
    related: ['avatar-problem', 'change-name'],
    ar: {
      question: 'كيف أغيّر صورتي الشخصية؟',
      also: [
        'ازاي احط صورة بروفايل',
        'تغيير صورة الحساب',
        'ابغى احط صورتي في صفحتي',
        'كيف أضيف افتار',
        'وين احط صورة البروفايل',
        'حذف صورة البروفايل',
      ],
      answer:
        'من «الإعدادات» اضغط «غيّر الصورة» واحفظ: حجمها حتى ٢ ميغابايت، وتُقصّ مربّعة، وتظهر في صفحتك فورًا. و«أزل الصورة» تعيد الحرف الأول من اسمك.',
    },
    en: {
      question: 'How do I change my profile picture?',
      also: ['upload an avatar', 'set my photo', 'add a profile photo', 'remove my profile picture'],
      answer:
        'Open Settings, press “Change photo” and save: it may have up to 2 MB, is cut square, and shows on your page right away. “Remove photo” brings back the first letter of your name.',
    },
  },
  {
    id: 'avatar-problem',
    related: ['change-avatar'],
    ar: {
      question: 'لماذا لا تُرفع صورتي الشخصية؟',
      also: ['الصورة الشخصية ما تتحمل', 'حجم صورة البروفايل كبير', 'صورة الحساب لا تقبل', 'فشل رفع الافتار'],
      answer: 'لأنها أكبر من ٢ ميغابايت، أو لأن الملف ليس صورة. صغّرها أو اختر JPG أو PNG أو WebP أو GIF.',
    },
    en: {
      question: "Why can't I upload my profile picture?",
      also: ['avatar upload fails', 'profile photo too large', 'avatar not accepted'],
      answer: 'It is over 2 MB, or the file is no picture. Make it smaller, or choose a JPG, PNG, WebP or GIF.',
    },
  },
  {
    id: 'email',
    related: ['email-visible', 'forgot-password'],
    ar: {
      question: 'كيف أضيف بريدي الإلكتروني أو أغيّره؟',
      also: [
        'اضافة ايميل',
        'تغيير الايميل',
        'وين احط الإيميل',
        'هل البريد ضروري',
        'لازم ايميل للتسجيل',
        'حساب بدون ايميل',
      ],
      answer:
        'من «الإعدادات»، في خانة البريد، اكتبه واضغط «تحديث». البريد اختياري ولا يُطلب عند التسجيل، ويكون لحساب واحد.',
    },
    en: {
      question: 'How do I add or change my e-mail address?',
      also: ['update email', 'is an email required', 'do I need an email to sign up', 'set my email'],
      answer:
        'Enter it in the e-mail form in Settings and press “Update”. It is optional, is not asked for at registration, and belongs to one account.',
    },
  },
  {
    id: 'email-visible',
    related: ['email', 'what-is-kept'],
    ar: {
      question: 'هل يرى الناس بريدي؟',
      also: ['الايميل يظهر للناس', 'هل بريدي مخفي', 'مين يشوف ايميلي'],
      answer: 'لا. بريدك لا يظهر في صفحتك العامة ولا لمن يراسلك؛ تراه أنت في إعداداتك.',
    },
    en: {
      question: 'Can people see my e-mail address?',
      also: ['is my email public', 'who sees my email', 'is my email hidden'],
      answer:
        'No. It is not on your public page and not shown to anyone who writes to you; you see it in your settings.',
    },
  },
  {
    id: 'gender',
    related: ['change-name'],
    ar: {
      question: 'هل أستطيع تغيير الجنس في حسابي؟',
      also: ['ليش مكتوب ذكر', 'تغيير ذكر الى انثى', 'خانة الجنس مقفلة'],
      answer: 'خانة الجنس في الإعدادات للقراءة فقط حاليًا، ولا تظهر في صفحتك العامة.',
    },
    en: {
      question: 'Can I change my gender?',
      also: ['why does it say male', 'gender is read only', 'edit gender field'],
      answer: 'The gender field in Settings is read-only at present, and it does not show on your public page.',
    },
  },
  {
    id: 'verified-tick',
    related: ['premium-banner'],
    ar: {
      question: 'كيف أحصل على علامة التوثيق؟',
      also: [
        'ابغى توثيق حسابي',
        'ايش العلامة الزرقاء',
        'ازاي اوثق حسابي',
        'ما معنى علامة الصح بجانب الاسم',
        'العلامة الزرقا',
      ],
      answer: 'علامة التوثيق تُعطى من إدارة الموقع، ولا يوجد طلب لها ولا شراء.',
    },
    en: {
      question: 'How do I get verified?',
      also: ['what is the tick next to a name', 'blue checkmark', 'get the verified badge', 'verify my account'],
      answer: "The tick is given by the site's own team. It cannot be applied for or bought.",
    },
  },
  {
    id: 'premium-banner',
    related: ['verified-tick'],
    ar: {
      question: 'ما معنى PREMIUM وVIP في صفحة أحدهم؟',
      also: ['ما هو شعار المطور', 'ايش يعني حساب بريميوم', 'شارة المطور'],
      answer: 'هذه الشارات لحسابات مطوّري الموقع: المشرف الموثّق تظهر صفحته بهذا الشكل. وهي ليست اشتراكًا.',
    },
    en: {
      question: 'What do PREMIUM and VIP mean on a page?',
      also: ['what is the developer badge', 'premium account meaning', 'how do I become vip'],
      answer:
        "These mark the accounts of the site's developers: the page of a verified administrator looks like that. It is no subscription.",
    },
  },
  {
    id: 'visit-counter',
    related: ['online-status', 'share-link'],
    ar: {
      question: 'كيف تُحسب الزيارات؟',
      also: ['عدد الزوار', 'ليش عداد الزيارات ما يزيد', 'هل أعرف من زار صفحتي', 'مين دخل صفحتي', 'مين شاف بروفايلي'],
      answer: 'تُحسب الزيارة مرة لكل زائر في نصف ساعة، ولا تُحسب زياراتك لصفحتك. العدّاد رقم فقط: لا يقول من زارك.',
    },
    en: {
      question: 'How are visits counted?',
      also: [
        'visitor count',
        'why does the visit counter not go up',
        'who visited my page',
        'can I see who viewed my profile',
      ],
      answer:
        'A visit counts once for each visitor in half an hour, and your own never do. The counter is only a number: it does not say who came.',
    },
  },
  {
    id: 'online-status',
    related: ['visit-counter'],
    ar: {
      question: 'ما معنى «متصل الآن» و«آخر ظهور»؟',
      also: ['كيف أخفي آخر ظهور', 'متى يظهر أني اونلاين', 'اخفاء حالة الاتصال', 'اخر ظهور'],
      answer: '«متصل الآن» لمن نشط في آخر دقيقتين، وإلا ظهر وقت آخر ظهور. لا يوجد حاليًا خيار لإخفائه.',
    },
    en: {
      question: 'What do “online now” and “last seen” mean?',
      also: ['hide my last seen', 'when am I shown as online', 'turn off online status'],
      answer:
        '“Online now” is whoever was active in the last two minutes; otherwise the time of the last visit shows. There is no option to hide it at present.',
    },
  },
  {
    id: 'my-link',
    related: ['share-link', 'change-username'],
    ar: {
      question: 'أين أجد رابطي؟',
      also: [
        'وين الاقي اللينك بتاعي',
        'ما هو رابط صفحتي',
        'فين رابطي',
        'كيف أنسخ الرابط',
        'نسخ رابط صفحتي',
        'شو رابط حسابي',
      ],
      answer: 'في ملفك، في بطاقة «رابطك»، ومنها تنسخه بضغطة. شكله: عنوان الموقع ثم ‎/m/ ثم اسم المستخدم.',
    },
    en: {
      question: 'Where do I find my link?',
      also: ['what is my link', 'copy my link', 'my page address', 'where is my personal url'],
      answer:
        'In your profile, on the card “Your link”, where one press copies it. It is the site’s address, then /m/, then your username.',
    },
  },
  {
    id: 'share-link',
    related: ['my-link', 'who-can-open'],
    ar: {
      question: 'كيف أشارك رابطي؟',
      also: [
        'ازاي انشر اللينك على الستوري',
        'كيف أحط رابطي في انستقرام',
        'مشاركة الرابط على الواتس',
        'وين اشارك رابطي',
        'ليش ما يوصلني رسائل كيف أزيدها',
      ],
      answer:
        'من بطاقة «رابطك» في ملفك اختر أين تشاركه، أو انسخه وأضفه ملصقًا في القصّة أو في نبذتك على مواقع أخرى. كل من يفتحه يستطيع أن يكتب لك.',
    },
    en: {
      question: 'How do I share my link?',
      also: [
        'post my link on instagram story',
        'send my link on whatsapp',
        'share my page',
        'how do I get more messages',
      ],
      answer:
        'On the card “Your link” in your profile choose where to share it, or copy it and add it to a story or to your bio elsewhere. Whoever opens it can write to you.',
    },
  },
  {
    id: 'who-can-open',
    related: ['share-link', 'page-missing'],
    ar: {
      question: 'من يستطيع فتح صفحتي؟',
      also: ['هل صفحتي عامة للجميع', 'هل أقدر اقفل صفحتي', 'ممكن اخلي صفحتي خاصة', 'مين يشوف صفحتي'],
      answer:
        'كل من معه رابطك، بحساب أو من دونه. يرى اسمك وصورتك ونبذتك والرسائل التي نشرتها أنت، ولا يرى رسائلك الخاصة.',
    },
    en: {
      question: 'Who can open my page?',
      also: ['is my page public', 'can I make my page private', 'who sees my profile page'],
      answer:
        'Anyone who has your link, with or without an account. They see your name, picture, bio and the messages that you published, and never your private ones.',
    },
  },
  {
    id: 'page-missing',
    related: ['my-link', 'who-can-open'],
    ar: {
      question: 'لماذا يقول إن المستخدم غير موجود؟',
      also: ['الرابط ما يفتح', 'الصفحة غير موجودة', 'رابط صاحبي لا يعمل', 'المستخدم غير موجود', 'فتحت الرابط وطلع خطأ'],
      answer: 'لأن في الرابط خطأ في اسم المستخدم غالبًا. اطلب الرابط من صاحبه من جديد وافتحه كما هو.',
    },
    en: {
      question: 'Why does it say user not found?',
      also: ['the link does not work', 'page not found', 'this user does not exist', "my friend's link is broken"],
      answer:
        'Most likely there is a mistake in the username of the link. Ask its owner for the link again and open it as it is.',
    },
  },
];
