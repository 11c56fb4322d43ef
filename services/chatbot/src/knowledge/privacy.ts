import type { KnowledgeEntry } from './entry.js';

export const privacy: readonly KnowledgeEntry[] = [
  {
    id: 'am-i-anonymous',
    related: ['what-is-kept', 'signed-in-anonymity', 'voice-altered'],
    ar: {
      question: 'هل يظهر اسمي إذا أرسلت رسالة؟',
      also: [
        'هل أنا مجهول فعلا',
        'حد هيعرف اني اللي بعت',
        'هل يعرفون هويتي',
        'هل المستلم يعرف مين ارسل',
        'بيبان اسمي لصاحب الصفحة',
        'هل الرسائل سرية فعلا',
        'راح يعرف اني انا',
      ],
      answer:
        'لا يرى صاحب الصفحة اسمك، سواء كان لديك حساب أم لا. أما المشرفون فيستطيعون رؤية بيانات تقنية عن الإرسال، كالعنوان الشبكي ونوع المتصفّح.',
    },
    en: {
      question: 'Does my name show when I send a message?',
      also: [
        'am I really anonymous',
        'will they know it was me',
        'does the owner see who I am',
        'is my identity hidden',
        'are messages truly anonymous',
        'can the receiver find out who wrote',
      ],
      answer:
        'The page owner does not see your name, whether or not you have an account. Administrators can see technical data about the sending, such as the network address and the kind of browser.',
    },
  },
  {
    id: 'signed-in-anonymity',
    related: ['am-i-anonymous', 'sent-messages'],
    ar: {
      question: 'هل أبقى مجهولًا وأنا داخل حسابي؟',
      also: [
        'لو مسجل دخول وبعت رسالة هيعرف',
        'ارسال رسالة مجهولة من حسابي',
        'هل يظهر حسابي للمستلم',
        'الفرق بين الارسال بحساب وبدون حساب',
      ],
      answer:
        'نعم: رسالة صاحب الحساب تصل كرسالة أي زائر، بلا اسم ولا صورة. الفرق أنك وحدك تجدها في «المُرسَلة» وتقرأ ردّها.',
    },
    en: {
      question: 'Am I anonymous when I am signed in?',
      also: [
        'if I am logged in do they see my account',
        'difference between sending with and without an account',
        'does my account show to the recipient',
      ],
      answer:
        'Yes: a message from an account arrives like that of any visitor, without a name or a picture. The difference is that you find it under “Sent” and can read its reply.',
    },
  },
  {
    id: 'who-sent-this',
    related: ['am-i-anonymous', 'reply-to-message', 'bad-messages'],
    ar: {
      question: 'كيف أعرف من أرسل لي الرسالة؟',
      also: [
        'مين بعتلي الرسالة دي',
        'ابغى اعرف مين المرسل',
        'كشف هوية المرسل',
        'طريقة معرفة صاحب الرسالة',
        'اكشف المجهول',
        'قل لي اسم المرسل',
        'اسم الذي أرسل لي',
        'مين كتب لي',
      ],
      answer:
        'لا تعرفه من نجوى، فهذا وعدها لمن يكتب لك. ولا أستطيع أنا أن أكشفه، ولو طلبت بأي طريقة. تستطيع أن تردّ عليه وتسأله.',
    },
    en: {
      question: 'How do I find out who sent me a message?',
      also: [
        'who wrote this to me',
        'reveal the sender',
        'show me who sent it',
        'identify an anonymous person',
        'unmask the sender',
        'give me the name of the sender',
      ],
      answer:
        "Najwa does not tell you: that is its promise to whoever writes. I can't reveal it either, however I am asked. You can reply and ask them.",
    },
  },
  {
    id: 'what-is-kept',
    related: ['how-long-kept', 'am-i-anonymous', 'who-are-admins'],
    ar: {
      question: 'ما البيانات التي تُحفظ عن المرسل؟',
      also: [
        'هل تسجلون عنوان الاي بي',
        'ايش المعلومات اللي تجمعونها',
        'هل تتبعون المرسل',
        'بياناتي ايش تحفظون منها',
        'هل يتم تخزين ip',
        'التتبع',
      ],
      answer:
        'مع كل رسالة: العنوان الشبكي، والمتصفّح ونظام التشغيل ونوع الجهاز، واللغة، والصفحة التي أُرسلت منها، والموقع التقريبي إن عُرف. يراها المشرفون وحدهم، وكل اطّلاع منهم يُسجَّل.',
    },
    en: {
      question: 'What data is kept about a sender?',
      also: [
        'do you log my ip address',
        'what information do you collect',
        'do you track senders',
        'which data is stored about me',
        'tracking',
      ],
      answer:
        'With each message: the network address, browser, operating system and kind of device, the language, the page it was sent from, and a rough location where it is known. Only administrators see it, and each time they look is recorded.',
    },
  },
  {
    id: 'how-long-kept',
    related: ['what-is-kept', 'delete-message'],
    ar: {
      question: 'كم تُحفظ بيانات الإرسال؟',
      also: ['متى تحذفون بيانات التتبع', 'مدة حفظ البيانات', 'كم يوم تحتفظون بعنواني'],
      answer:
        'تُحذف بيانات الإرسال التقنية بعد مدة يحدّدها الموقع، وهي في الأصل ٩٠ يومًا، أو فور أن يحذف المستلم الرسالة.',
    },
    en: {
      question: 'How long is the sending data kept?',
      also: ['when do you delete tracking data', 'data retention', 'how many days do you keep my address'],
      answer:
        'The technical data is deleted after a time that the site sets, which is 90 days unless it says otherwise, or as soon as the recipient deletes the message.',
    },
  },
  {
    id: 'are-messages-private',
    related: ['publish-message', 'who-are-admins'],
    ar: {
      question: 'من يستطيع قراءة رسائلي الخاصة؟',
      also: [
        'هل رسائلي خاصة',
        'مين يشوف الرسائل غيري',
        'هل يقرأ أحد غيري رسائلي',
        'هل الرسائل تظهر للناس',
        'خصوصية الرسائل',
        'هل المشرف يقرأ رسائلي',
      ],
      answer:
        'كل رسالة خاصة حتى تنشرها أنت: تقرؤها وحدك، ومعك مرسلها في قائمته إن كان له حساب. ويرى المشرفون نصّها مع بيانات الإرسال حين يراجعونها.',
    },
    en: {
      question: 'Who can read my private messages?',
      also: [
        'are my messages private',
        'who else sees my messages',
        'do messages show to people',
        'can admins read my messages',
        'do administrators see what I write',
      ],
      answer:
        'Every message is private until you publish it: you read it, and its sender in their own list if they have an account. Administrators see its text with the sending data when they review it.',
    },
  },
  {
    id: 'picture-metadata',
    related: ['send-picture', 'am-i-anonymous'],
    ar: {
      question: 'هل تكشف الصورة مكاني أو جهازي؟',
      also: ['بيانات الموقع في الصورة', 'هل يظهر موقعي من الصورة', 'هل تمسحون معلومات الصورة', 'اسم ملف الصورة'],
      answer: 'يُعاد حفظ الصورة بلا بياناتها الخفيّة: لا موقع ولا جهاز ولا اسم ملف. انتبه فقط لما يظهر فيها.',
    },
    en: {
      question: 'Does a picture give away where I am?',
      also: [
        'location in photo metadata',
        'do you remove exif data',
        'can a picture reveal my device',
        'gps in images',
      ],
      answer:
        'A picture is saved anew without its hidden data: no place, no device, no file name. Only mind what can be seen in it.',
    },
  },
  {
    id: 'is-it-safe',
    related: ['what-is-kept', 'password-rules', 'are-messages-private'],
    ar: {
      question: 'هل نجوى آمنة؟',
      also: ['هل الموقع امان', 'اقدر اثق فيكم', 'كيف تحمون بياناتي', 'حماية كلمة المرور عندكم', 'موثوق ولا نصب'],
      answer:
        'كلمات المرور تُخزّن مبصومة لا كما هي، والجلسات يمكن إنهاؤها في أي وقت، والوسائط الخاصة لا يفتحها إلا أصحابها. ولا نقول لك أبدًا إن أحدًا لن يعرف شيئًا: المشرفون يرون بيانات تقنية.',
    },
    en: {
      question: 'Is Najwa safe?',
      also: [
        'can I trust this site',
        'how do you protect my data',
        'is my password stored safely',
        'security of the website',
        'is it a scam',
      ],
      answer:
        'Passwords are stored as hashes, sessions can be ended at any time, and private media opens only for those it belongs to. We never say that nobody can know anything: administrators see technical data.',
    },
  },
  {
    id: 'cookies',
    related: ['stay-signed-in', 'what-is-kept'],
    ar: {
      question: 'هل تستعمل نجوى ملفات تعريف الارتباط؟',
      also: ['الكوكيز', 'ليش الكوكيز', 'ملفات الارتباط في الموقع'],
      answer: 'نعم، لأمرين: لتبقى داخل حسابك، ولتمييز زائر من زائر في العدّ والحدود. لا إعلانات ولا مواقع أخرى معها.',
    },
    en: {
      question: 'Does Najwa use cookies?',
      also: ['why cookies', 'cookie policy', 'what are cookies used for here'],
      answer:
        'Yes, for two things: to keep you signed in, and to tell visitors apart for counting and limits. No advertising and no other sites come with them.',
    },
  },
  {
    id: 'assistant-privacy',
    related: ['who-is-the-assistant', 'who-are-admins'],
    ar: {
      question: 'هل تُحفظ محادثتي معك؟',
      also: ['مين يشوف كلامي مع المساعد', 'هل المحادثة مع البوت سرية', 'كيف احذف محادثتي معك', 'هل تحفظون الشات'],
      answer: 'نعم، تُحفظ أسئلتك وأجوبتي ويستطيع المشرفون قراءتها وحذفها. فلا تكتب لي ما لا تريد أن يقرأه أحد.',
    },
    en: {
      question: 'Is my conversation with you kept?',
      also: [
        'who sees what I tell the assistant',
        'is this chat private',
        'delete my conversation with the bot',
        'do you save the chat',
      ],
      answer:
        "Yes, your questions and my answers are kept, and administrators can read and delete them. Don't tell me what nobody should read.",
    },
  },
  {
    id: 'who-are-admins',
    related: ['what-is-kept', 'are-messages-private'],
    ar: {
      question: 'من هم المشرفون وماذا يرون؟',
      also: ['ايش يشوف الادمن', 'صلاحيات المشرف', 'مين الادارة', 'هل الأدمن يعرف من أنا'],
      answer:
        'المشرفون هم مطوّرو الموقع. يرون بيانات الإرسال التقنية مع نص الرسالة، والمحادثات مع المساعد، ويُسجَّل كل اطّلاع لهم على بيانات الإرسال. لا يُفتح هذا الحساب إلا بكلمة سرّ خاصة بالمطوّرين.',
    },
    en: {
      question: 'Who are the administrators and what do they see?',
      also: ['what can an admin see', 'admin permissions', 'do admins know who I am'],
      answer:
        "Administrators are the site's developers. They see the technical data of sending with the text of the message, and conversations with the assistant; each look at the sending data is recorded. Such an account needs a secret that only the developers have.",
    },
  },
  {
    id: 'can-be-traced',
    related: ['what-is-kept', 'how-long-kept', 'am-i-anonymous'],
    ar: {
      question: 'هل يمكن أن تُعرف هويتي بطلب من الشرطة؟',
      also: ['هل الشرطة تقدر تعرف مين ارسل', 'لو احد اشتكى علي هل توصلون لي', 'استخدام vpn هل يخفيني'],
      answer:
        'لا أعدك بأن أحدًا لن يعرف. لا يرى صاحب الصفحة من كتب، لكن المشرفين يرون بيانات تقنية كالعنوان الشبكي ما دامت محفوظة. أما ما يجري عند طلب من جهة رسمية فلا أعرفه.',
    },
    en: {
      question: 'Could the police find out who I am?',
      also: ['can I be traced', 'do you give data to the authorities', 'does a vpn hide me'],
      answer:
        'I cannot promise that nobody will ever know. The page owner does not see who wrote, but administrators see technical data such as the network address for as long as it is kept. What happens when an authority asks, I do not know.',
    },
  },
  {
    id: 'admins-and-media',
    related: ['are-messages-private', 'who-are-admins', 'voice-altered'],
    ar: {
      question: 'هل يرى المشرفون صوري أو يسمعون صوتي؟',
      also: ['هل يسمع الادمن الرسائل الصوتية', 'المشرفين يشوفون الصور الخاصة', 'هل تصل تسجيلاتي للإدارة'],
      answer:
        'لا تفتح صلاحية المشرف صورة رسالة خاصة ولا صوتها. الصورة يراها مستلمها، ومرسلها إن كان له حساب، والصوت يسمعه مستلمه وحده. أما نص الرسالة وبيانات إرسالها فيستطيع المشرفون رؤيتها. والتسجيل الأصلي لا يُحفظ أصلًا.',
    },
    en: {
      question: 'Can administrators see my pictures or hear my voice?',
      also: [
        'do admins listen to voice messages',
        'can moderators open private pictures',
        'do admins get my recordings',
      ],
      answer:
        'Being an administrator does not open the picture or the sound of a private message. The picture is for its recipient, and for its sender if they have an account; the sound is for its recipient alone. The text of a message and its technical data they can see. The original recording is not kept at all.',
    },
  },
  {
    id: 'read-receipt',
    related: ['see-reply', 'mark-read'],
    ar: {
      question: 'هل يعرف المرسل أنني قرأت رسالته؟',
      also: ['كيف اعرف انه قرا رسالتي', 'هل يظهر له اني شفت الرسالة', 'علامة القراءة عند المرسل'],
      answer: 'لا تظهر في «المُرسَلة» علامة قراءة. يعرف المرسل حين تردّ أو حين تنشر رسالته.',
    },
    en: {
      question: 'Does the sender know that I read the message?',
      also: ['are there read receipts', 'did they read my message', 'will they see that I opened it'],
      answer: '“Sent” shows no read mark. A sender notices when you reply or when you publish the message.',
    },
  },
];
