import type { KnowledgeEntry } from './entry.js';

/** The administrators' pages. */
export const administration: readonly KnowledgeEntry[] = [
  {
    id: 'admin-pages',
    related: ['who-are-admins', 'admin-conversations', 'audit-log'],
    ar: {
      question: 'ماذا في لوحة الإدارة؟',
      also: [
        'أين لوحة الإدارة',
        'صفحة الأدمن كيف أفتحها',
        'كيف أبحث في التتبع من لوحة الإدارة',
        'غير مصرّح لك بالدخول إلى لوحة الإدارة',
        'تبويبات لوحة المشرف',
      ],
      answer:
        'تظهر «لوحة الإدارة» للمشرفين في قائمة الحساب، وفيها ثلاثة أقسام: التتبّع، وفيه بحث بكلمات الرسالة أو باسم المستلم؛ والمحادثات مع المساعد؛ وحساب. من ليس مشرفًا يرى أن الصفحة ليست له.',
    },
    en: {
      question: 'What is in the admin panel?',
      also: [
        'where is the admin panel',
        'how do I open the admin dashboard',
        'search the tracking tab of the admin panel',
        'access denied on the admin page',
        'tabs of the admin dashboard',
      ],
      answer:
        'Administrators find “Admin panel” in their account menu. It has three tabs: tracking, which can be searched by words of a message or by recipient; conversations with the assistant; and account. Anybody else sees that the page is not for them.',
    },
  },
  {
    id: 'admin-conversations',
    related: ['assistant-privacy', 'audit-log'],
    ar: {
      question: 'كيف يحذف المشرف محادثات المساعد؟',
      also: ['انا مشرف كيف احذف كل المحادثات', 'حذف محادثة من لوحة الإدارة', 'مسح كل محادثات البوت كأدمن'],
      answer:
        'في قسم «المحادثات» من لوحة الإدارة: يحذف محادثة واحدة أو كل المحادثات معًا، بعد تأكيد. لا يمكن التراجع عن ذلك.',
    },
    en: {
      question: 'How does an administrator delete conversations of the assistant?',
      also: [
        'I am an admin and want to delete all conversations',
        'delete a conversation in the admin panel',
        'clear all bot chats as an admin',
      ],
      answer:
        'On the tab “Chatbot” of the admin panel: one conversation or all of them at once, after a confirmation. It cannot be undone.',
    },
  },
  {
    id: 'audit-log',
    related: ['who-are-admins', 'admin-pages'],
    ar: {
      question: 'هل يُسجَّل ما يطّلع عليه المشرفون؟',
      also: [
        'سجل اطلاع المشرفين',
        'من يراقب الأدمن',
        'كيف أعرف من المشرفين شاف البيانات',
        'سجل الوصول في لوحة الإدارة',
      ],
      answer:
        'نعم. كل قراءة لبيانات التتبّع أو للمحادثات، وكل حذف لمحادثة وكل إنشاء لحساب مشرف، يُكتب في سجلّ: من، وماذا، ومتى. السجلّ يراه المشرفون وحدهم.',
    },
    en: {
      question: 'Is it recorded what administrators look at?',
      also: [
        'audit log of the administrators',
        'who watches the admins',
        'log of which admin read the data',
        'access log in the admin panel',
      ],
      answer:
        'Yes. Every reading of tracking data or conversations, every deletion of a conversation and every new administrator goes into a log: who, what and when. Only administrators see it.',
    },
  },
  {
    id: 'create-admin',
    related: ['who-are-admins', 'admin-pages'],
    ar: {
      question: 'كيف يُنشأ حساب مشرف؟',
      also: ['كيف أصير مشرف', 'ابي اكون ادمن', 'انشاء حساب ادمن', 'كلمة المرور السرية للمطور', 'ازاي ابقى ادمن'],
      answer:
        'حساب المشرف لا يُطلب من الموقع: ينشئه من يملك كلمة المرور السرّية للمطوّر، من قسم «حساب» في لوحة الإدارة أو من صفحته الخاصة.',
    },
    en: {
      question: 'How is an administrator account created?',
      also: [
        'how do I become an admin',
        'make me an admin',
        'create an admin account',
        'what is the developer secret',
        'apply to be a moderator',
      ],
      answer:
        'It cannot be applied for: whoever has the developer secret creates it, on the tab “Account” of the admin panel or on the page made for it.',
    },
  },
];
