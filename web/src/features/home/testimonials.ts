import {
  BookOpen,
  Briefcase,
  Camera,
  Coffee,
  Compass,
  Feather,
  GraduationCap,
  Heart,
  HeartHandshake,
  Image,
  KeyRound,
  Languages,
  MessageCircle,
  Mic,
  Moon,
  Palette,
  PenLine,
  ShieldCheck,
  Trash2,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { Language } from '../../i18n/index.js';

export interface Testimonial {
  id: number;
  name: Record<Language, string>;
  avatar: string | null;
  gender: 'male' | 'female';
  rating: number;
  text: Record<Language, string>;
  icon: LucideIcon;
}

export const MAX_STARS = 5;

/** Not in the translations, so that only the home page loads them. */
export const testimonials: readonly Testimonial[] = [
  {
    id: 1,
    name: { ar: 'ريم', en: 'Reem' },
    avatar: null,
    gender: 'female',
    rating: 5,
    text: {
      ar: 'ظننت أن الصمت يعني الرضا، حتى قرأت ما كان أصدقائي يريدون قوله منذ زمن. تغيّرت أشياء كثيرة بعدها، كلّها للأحسن.',
      en: 'I used to think silence meant everything was fine. Then I read what my friends had wanted to say for years. A lot changed after that, all of it for the better.',
    },
    icon: Feather,
  },
  {
    id: 2,
    name: { ar: 'ياسر', en: 'Yasser' },
    avatar: null,
    gender: 'male',
    rating: 5,
    text: {
      ar: 'طلابي صاروا يسألون ما كانوا يخجلون من سؤاله.',
      en: 'My students now ask what they were too shy to ask.',
    },
    icon: GraduationCap,
  },
  {
    id: 3,
    name: { ar: 'هند', en: 'Hind' },
    avatar: null,
    gender: 'female',
    rating: 5,
    text: {
      ar: 'أحببت أن النشر بيدي. أقرأ أولًا ثم أقرّر.',
      en: 'I love that publishing is up to me. I read first, then decide.',
    },
    icon: Heart,
  },
  {
    id: 4,
    name: { ar: 'مالك', en: 'Malik' },
    avatar: null,
    gender: 'male',
    rating: 5,
    text: {
      ar: 'الرسائل الصوتية غيّرت كل شيء. تسمع الصدق دون أن تعرف صاحبه.',
      en: 'Voice messages changed everything. You hear the truth without knowing whose it is.',
    },
    icon: Mic,
  },
  {
    id: 5,
    name: { ar: 'سلمى', en: 'Salma' },
    avatar: null,
    gender: 'female',
    rating: 5,
    text: {
      ar: 'أضع رابطي تحت رسوماتي، فيصلني نقد لا يجامل. صار رسمي أحسن.',
      en: 'I put my link under my drawings and get criticism that doesn’t flatter. I draw better now.',
    },
    icon: Palette,
  },
  {
    id: 6,
    name: { ar: 'عمر', en: 'Omar' },
    avatar: null,
    gender: 'male',
    rating: 5,
    text: {
      ar: 'سألت زملائي عن عملي معهم، فكتبوا ما لم يُقل في أي اجتماع.',
      en: 'I asked my colleagues how I am to work with. They wrote what no meeting had ever said.',
    },
    icon: Briefcase,
  },
  {
    id: 7,
    name: { ar: 'ليلى', en: 'Layla' },
    avatar: null,
    gender: 'female',
    rating: 5,
    text: {
      ar: 'رسالة واحدة بقيت معي أسبوعًا كاملًا. كانت من سطرين.',
      en: 'One message stayed with me for a whole week. It was two lines long.',
    },
    icon: BookOpen,
  },
  {
    id: 8,
    name: { ar: 'طارق', en: 'Tariq' },
    avatar: null,
    gender: 'male',
    rating: 5,
    text: {
      ar: 'رابط مقهانا على كل طاولة. يكتب الضيوف ما لا يقولونه عند الحساب.',
      en: 'Our café has its link on every table. Guests write what they don’t say at the till.',
    },
    icon: Coffee,
  },
  {
    id: 9,
    name: { ar: 'مريم', en: 'Maryam' },
    avatar: null,
    gender: 'female',
    rating: 5,
    text: {
      ar: 'لم يسألني عن شيء يُذكر: اسم وكلمة مرور، وبدأت.',
      en: 'It asked for almost nothing: a name, a password, and I had begun.',
    },
    icon: KeyRound,
  },
  {
    id: 10,
    name: { ar: 'زياد', en: 'Ziad' },
    avatar: null,
    gender: 'male',
    rating: 5,
    text: {
      ar: 'أصوّر الشوارع، ويكتب لي ناس من أحيائها ما تعنيه لهم الصورة.',
      en: 'I photograph streets, and people who live there write what a picture means to them.',
    },
    icon: Camera,
  },
  {
    id: 11,
    name: { ar: 'دانة', en: 'Dana' },
    avatar: null,
    gender: 'female',
    rating: 5,
    text: {
      ar: 'نصف أصدقائي يكتب بالعربية ونصفهم بالإنجليزية، والصفحة مريحة للجميع.',
      en: 'Half of my friends write in Arabic and half in English. The page suits them all.',
    },
    icon: Languages,
  },
  {
    id: 12,
    name: { ar: 'خالد', en: 'Khaled' },
    avatar: null,
    gender: 'male',
    rating: 5,
    text: {
      ar: 'أفتحه آخر الليل وأقرأ على مهل. لا إعجابات تُعدّ، ولا أحد ينتظر.',
      en: 'I open it late at night and read slowly. No likes to count, and nobody is waiting.',
    },
    icon: Moon,
  },
  {
    id: 13,
    name: { ar: 'نور', en: 'Noor' },
    avatar: null,
    gender: 'female',
    rating: 5,
    text: {
      ar: 'وصلني اعتذار عن أمر قديم. لا أعرف ممّن هو، وقد سامحت.',
      en: 'I got an apology for something long ago. I don’t know whose it is, and I have forgiven.',
    },
    icon: HeartHandshake,
  },
  {
    id: 14,
    name: { ar: 'فيصل', en: 'Faisal' },
    avatar: null,
    gender: 'male',
    rating: 5,
    text: {
      ar: 'سألت المساعد عمّا يراه المشرفون، فأجاب بوضوح. الوضوح هو ما طمأنني.',
      en: 'I asked the assistant what administrators can see. It answered plainly, and that is what reassured me.',
    },
    icon: ShieldCheck,
  },
  {
    id: 15,
    name: { ar: 'أمل', en: 'Amal' },
    avatar: null,
    gender: 'female',
    rating: 5,
    text: {
      ar: 'في آخر كل عام نكتب، أنا وصديقاتي، ما تعلّمته كل واحدة من الأخرى.',
      en: 'At the end of each year my friends and I write down what we learned from one another.',
    },
    icon: Users,
  },
  {
    id: 16,
    name: { ar: 'سامي', en: 'Sami' },
    avatar: null,
    gender: 'male',
    rating: 5,
    text: {
      ar: 'أول رسالة كانت سؤالًا بسيطًا، وصار جوابها أطول حديث لي مع نفسي.',
      en: 'The first message was a simple question. Answering it became my longest talk with myself.',
    },
    icon: MessageCircle,
  },
  {
    id: 17,
    name: { ar: 'جود', en: 'Joud' },
    avatar: null,
    gender: 'female',
    rating: 5,
    text: {
      ar: 'أرسل لي أحدهم صورة من مدرستنا القديمة. ابتسمت يومي كلّه.',
      en: 'Somebody sent me a picture of our old school. I smiled all day.',
    },
    icon: Image,
  },
  {
    id: 18,
    name: { ar: 'بدر', en: 'Badr' },
    avatar: null,
    gender: 'male',
    rating: 5,
    text: {
      ar: 'من يكتب بلا اسم يكتب أقصر وأصدق. هذا ما لاحظته بعد شهر.',
      en: 'Without a name, people write shorter and more honestly. I noticed after a month.',
    },
    icon: PenLine,
  },
  {
    id: 19,
    name: { ar: 'لمى', en: 'Lama' },
    avatar: null,
    gender: 'female',
    rating: 5,
    text: {
      ar: 'وصلتني كلمة أزعجتني، فحذفتها وانتهى الأمر.',
      en: 'Something I was sent bothered me. I deleted it, and that was that.',
    },
    icon: Trash2,
  },
  {
    id: 20,
    name: { ar: 'عادل', en: 'Adel' },
    avatar: null,
    gender: 'male',
    rating: 5,
    text: {
      ar: 'جرّبت غيره، وبقيت هنا لأن الكلام فيه هو الأهم.',
      en: 'I tried others. I stayed here because the words come first.',
    },
    icon: Compass,
  },
];
