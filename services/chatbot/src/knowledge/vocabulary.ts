/** Words that say nothing about what is asked. Folded before they are compared. */
export const STOP_WORDS: readonly string[] = [
  'عارف عارفة عارفه لو_سمحت وريني ورني فرجيني قررت قرر ناوي ناوية نويت متأكدة معصب معصبة زعلان زعلانة قلقان قلقانة خجلان محرج مستعجل تعبان راغب رغبة خاصتي خاصتك',
  'حاولت احاول جربت اجرب ماكو كاين كاينة عندنا هون هوني امس امبارح مبارح البارح البارحة اليوم النهاردة النهارده بكرا بكره غدا قبل_شوي من_شوي من_كم_يوم قبل_كم_يوم من_يومين قبل_يومين من_زمان صارلي صار_لي لي_ساعة يقول تقول بيقول بيقولي يقولي قالي قالتلي قال_لي قالت_لي يقول_لي تقول_لي كيقول كتقول كنت كنا حاطط حاطه حاط بحال بحالها مثلها مثلهم زيه زيها زيي متله متلها عجبني عجبها خلاني خلاها واخا اخيرا فجأة للاسف عموما بصراحه غالبا ربما يمكن_اني اظن اعتقد افكر_في اخاف بخاف لاني لانه لانها لانهم حيث عشاني عشانه اصير_اني مجرد طبعا اكثر_شي كم_مرة_بس تخيل تخيلوا المشكلة الموضوع القصة السالفة',
  'literally basically honestly apparently recently yesterday today weeks ago ages suddenly unfortunately obviously seriously totally completely absolutely definitely maybe guess kinda sorta think thought believe seems seem look looks keep_on quite rather pretty such own call called wants trying every_day nobody_else im_not_sure not_sure',
  'في فى من الى إلى على عن مع هذا هذه ذلك تلك التي الذي اللي اللى يلي ان أن إن انا أنا انت أنت انتي انتو انتوا هو هي هم هوا هيه نحن احنا يا و او أو ثم قد لو اذا لكن بس عند عندي لي له لها ولا والا',
  'هل ممكن يمكن ممكنه اريد أريد عايز عايزة عاوز عاوزة ابغى أبغى ابغي ابي أبي ابا بدي بدنا بغيت حاب حابب حابة ودي نفسي اقدر أقدر قدرت استطيع أستطيع يمكنني فيني فيكن فيكم ينفع قادر نقدر نجم فضلك سمحت رجاء طيب يعني ليا ديال ديالي ديالك ملي باش راه واش',
  'الي لما حتى كل شي شيء حاجه حاجة حقي حقك حقه حقت حقتي بتاعي بتاعك بتاع بتاعتي تبعي تبع راح رح سوف كمان برضه برضو معي معاك معاي معايا عشان علشان لان اي أي ده دي دا هاد هاي هالشي كذا كده هيك الان دلوقتي هلق هسه جدا مره خالص اوي يكون كان كانت بيكون',
  'عندكم ما فيه فيها عليها عليه منه منها عنه شلون بالله اخي حبيبي غالي اخوي يسعدك الحين توا ذا ذي تكفى تكفون لحد والله ياخي سوا اسوي اعمل أعمل افعل بعمل اساوي سوي دير ندير نعمل صار صاير بيصير يصير خلال بعد قبل بين غير تحت فوق لا نعم اه',
  'خلي اخلي يخلي يخليني تخلي بخلي يصير معكم معنا وياكم اوكي خويا دابا اكو هسة وياك هيدا هيك منيح لسا حدود يقدر تقدر يقدرون يقدرو قدرو قدرت قادرة يستطيع تستطيع نستطيع يستطيعون يمكنك يمكنهم تريد يريد تبي تبون يبغى تبغى عايزين حضرتك لوسمحت سمحتوا سمحتم فضلكم اتأكد اتاكد عليا علي عليك عنده عندها عندهم عنها عنهم فيهم كلها كله مني منك منهم معه معها معهم ايضا كذلك مرات نفس نفسه شخصيا عادي بدأ راحت جات يوم_من انو إنو أنو انن يكونوا تكون اكيد بدو بدها بدون_ما هلأ اذن لازمني شاء سؤال عندي_سؤال استفسار متوفرة متوفر متاحة متاح موجودة موجود مقبول حاليا available exist currently صراحة بصراحة هذي هذول عم ع بي زي مثل متل اني انه انها انهم انك هنا هناك خلاص يلا رافض معقولة معقول احتمال متأكد مضبوط صحيح حلوة حلو جميلة لطيفة غريب غريبة سخيفة خايف خايفة زهقت مليت ضروري_جدا بسرعة ارجوك ساعدني ساعدوني مساعدة عجبتني حبيت احب احس فترة شوي شوية قليلا دائما دايما ابدا_لا اصلا بالضبط بالظبط فعلا حقا عاد ماعاد لسه للحين لازلت بدال مع_ان عندما حين حينما كيما اش_كون مهم جديد جديدة حق تماما معين معينة بعض غيرها وغيرها ارجو لطفا يعني كأن مثلا',
  'anymore besides except trying tried try turn please kindly dear sir madam say says saying able back out told tell_me else best good nice new old sure maybe possible exactly lol omg hmm well okay ok yes no wondering wonder hope sorry excuse instead yet already since anyway though because than too lot bit kind sort both each right away after around over up down off during somehow there here today tonight last first next week_ago whenever always anyone which myself yourself afraid scared worried funny weird stupid anything something nothing ex boss wife husband mom dad sister brother teacher',
  'the a an is are am was were be been being do does did to of in on at for with from my your our me i you it its this that these those and or if so then there here but when while into onto',
  'tell about something so much more now again later pls plz help very really just please too also still ur u r actually guys bro hey gonna gotta got gets getting going go them him her his their theirs she he they we us im ive id',
  'can could may might would should will want wanna like need able get have has had some any as by every time thing things stuff way one ever even only after before put make made let wants using use used',
];

/** Words of both languages and of dialects that mean the same, "_" between those that mean it only together. Each is folded, and found with what is written onto it. */
export const CONCEPTS: Readonly<Record<string, string>> = {
  what: 'wots شكو ماذا ايش إيش ايه إيه وش شو شنو شنوه اش ماهو ماهي ما_هو ما_هي what whats wht wat explain معنى يعني_ايه يعني_ايش mean means meaning',
  why: 'لماذا ليش ليه علاش لشو why y',
  how: 'كيف ازاي إزاي ازى شلون وشلون كيفاش كيفية كيفيه طريقة طريقه خطوات how kif kifash izay ezay steps way',
  where: 'وين فين أين اين وينه فينها where wen wein feen',
  when: 'متى امتى إمتى ايمتى فوقاش when',
  who: 'chkoun shkoun shkoon مين منو مي شكون ميني who whose whom whos men',
  person:
    'اخت اختي اخوي اخويا خوي ابوي ابويا امي ماما بابا خالتي خالي عمي عمتي ابن_عمي بنت_خالتي بنت_عمي زوج زوجي زوجتي مرتي جوزي خطيب خطيبي خطيبتي حبيب حبيبي حبيبتي استاذ استاذي معلم معلمة دكتوري دكتورتي دكتورة مدير مديري زميل زميلة جار جارتي قرايب قرايبي اهلي عيلتي عائلتي والدي والدتي جدتي صاحب ربعي خويا ولدي بنتي ابني اولادي عيالي غرباء غريبين buddy buddies mate colleague coworker classmate neighbor neighbour cousin aunt uncle mother father son daughter kid kids family relatives professor dude guy guys جميع للجميع ppl peeps girl boy البنت الولد محدش محد ماحد حدش صحابي اصحابي اصحاب اصدقائي خوتي رفقاتي الكل كلهم الجميع شخصا إنسان بنات شباب شخص حد احد أحد حدا واحد وحدة ناس الناس صديق صديقي صاحبي صاحبتي رفيقي رفيقتي خويي خوي person someone somebody anyone anybody people others friend friends strangers stranger everyone crush everybody anybodys somebodys',
  show: 'ظاهر ظاهرة باين باينة مبين مبينة يبين تبين يظهر تظهر ظهر يبان بيبان كيبان بان يطلع بيطلع طلع يظهروا show shows shown appear appears visible display displayed reveal revealed بينكشف ينكشف',
  to_see:
    'يلاحظ عاين اعاين يطلعوا_على يقدر_يشوف مشاهدة اشاهد يشاهد شوف بدي_شوف watching viewing notice نشوفو كنشوف كيشوف كيشوفو يشوفها يشوفه سيرى يطالع يطالعون تطلع_على اطلع_على هتشوف هتشوفه هيشوف هيشوفه حيشوف يشوف يشوفو يشوفوا يشوفون تشوف بتشوف بيشوف بيشوفه اشوف نشوف بشوف يرى يرون ترى أرى يطلع_على see sees view views look looks seen looking viewed watch check',
  saw: 'يتفرج بيتفرج stalks stalking peeked شاف شافوا شافت شافو شفت viewed seen looked checked',
  address:
    'عناوين عناوين_الانترنت عنوان_الانترنت ip ايبي الايبي آيبي اي_بي الاي_بي عنوان_الشبكة عنواني_الشبكي العنوان_الشبكي عنواني عنوان ip_address network_address address adress adresses mac_address',
  account:
    'عضوية membership login_account حسابين accounts حساب حسابي اكاونت اكونت أكاونت كونط كونت كومبت compte account acount acc 7sab hesab',
  profile: 'بروفايل بروفايلي البروفيل بروفيلي ملفي ملف_شخصي الملف_الشخصي profile profil',
  register:
    'get_my_own own_account يصير_لي_حساب يكون_لي_حساب عندي_حساب_هنا نتسجل signed_up sign_up signing_up مشترك مشتركة مشتركين عضو عضوة member members عضو انتسب انتساب التحق subscribe enroll اسوي_لي_رابط اعمل_لي_رابط اسوي_رابط اعمل_لينك make_a_link create_a_link get_a_link انشئ_رابط open_an_account open_account open_a_account افتح_حساب فتح_حساب اسوي_حساب registr انشاء إنشاء انشئ أنشئ تسجيل سجل اسجل أسجل افتح اشترك انضم تنشأ register registration registering registered signup sign_up signing_up join create creating اعمل_حساب اعمل_اكاونت سوي_حساب new_account make_account make_an_account',
  login:
    'ولوج الولوج اخش يخش خش داخل_حسابي ادخل_على get_into_my_account get_in let_me_in logging فوت افوت فايت دخول يدخلني تدخلني دخلني ادخل أدخل يدخل بيدخل دخلت لوجن لوقن لوج_ان login signin log_in sign_in signing_in logging_in logged_in signed_in log sign_on enter تسجيل_دخول تسجيل_الدخول مسجل_دخول مسجل_دخولي مسجل_الدخول اسجل_دخول اسجل_الدخول سجلت_دخول',
  logout:
    'نسد_الحساب get_out_of_my leave_my_account اطلع_حسابي خروج اخرج أخرج خرجني طلعني logout signout log_out sign_out log_off signing_out logging_out logged_out signed_out log_me_out تسجيل_خروج تسجيل_الخروج اسجل_خروج اسجل_الخروج اطلع_من_حسابي اطلع_من_الحساب نخرج',
  password:
    'كلمه_سر كلمة_سر كلمة_مرور كلمه_المرور كلمة_مروري كلمة_سري رقمي_السري passcodes الموضباس لوموضباس موضباس الباس مرور المرور كلمة_المرور كلمة_السر السر سري_حسابي الرقم_السري الرمز_السري رمزي الرمز باسورد باسوورد باسوود باس مودباس باسور password passwd passcode pass pasword passwrd pw pwd passwords',
  username:
    'name_in_my_link يوزر يوزرنيم يوزري اليوزر_نيم يوزر_نيم معرف معرفي المعرف اسم_المستخدم اسم_مستخدم username user_name user_names handle usernames',
  user: 'مستخدم المستخدم user users',
  name: 'لقب لقبي اللقب nickname nick اسم اسمي الاسم سميتي اسمه اسمها الاسامي ism esm isme name names',
  change:
    'احول تحويل حول اضبط ضبط اصلح ابدلها renew correct_my set_new altering rename غير different تغيير اغير أغير غير_اسمي يتغير اغيره تعديل اعدل أعدل عدل ابدل أبدل بدل نبدل تبديل تحديث احدث نغير حدث تعدل change edit modify update switch replace changed changing editing swap adjust بدي_غير',
  fix: 'اصلح صحح اصحح تصحيح أصحح fix correct mistake غلط غلطة غلطه غلطت خطأ_املائي خطا_املائي املائي املائية typo misspelled misspelt misspelling wrong_spelling',
  forgot:
    'تذكر بتذكر اتذكر نتذكر فاكر من_بالي من_راسي recall remembering اذكر متذكر متذكرة راحت_من_بالي ناسيها ضايعة مضيع fergot forgett get_my_account_back account_back my_account_back ارجاع_حسابي يرجع_حسابي من_ذاكرتي no_clue راحت_عني نسيتها نسيته نسيت ناسي ناسية انسى ضاعت ضاع ضيعت استرجع استرجاع استعادة استعيد ارجع_حسابي اتذكر فاكر فاكرة تذكرت اعادة_تعيين forgot forgotten forget lost recover recovery reset dont_remember cant_remember remember restore',
  remove:
    'خيار_حذف زر_حذف الغى ازال يزيل شطب اشطب افسخ نفسخ فسخ اختفي_من ازالته محو يمحي يمسح يحذف تحذف eliminate trash purge clear حيد نحيدو احيد حيدو throw throw_away toss discard تخلص اتخلص انمسحت شلت اشيلها احذفه حذف احذف أحذف احذفها امسح أمسح مسح ازالة إزالة ازيل اشيل شيل الغي الغاء إلغاء محي امحي بمحي بمحيه امحو نمسح نحيد يتمسح تنحذف تمسحون تحذفون delete remove erase cancel del wipe get_rid get_rid_of deleted deleting removing gone',
  close:
    'سكر سكره نسكر سكروا اقفل قفل اغلق إغلاق اغلاق اسكر مسكر تعطيل اعطل close deactivate quit shut terminate للأبد نهائيا نهائي forever permanently',
  message:
    'كلمات_جميلة_لي خطاب كلامه مكتوب_لي mssg messge masage massage massege dm dms المسجات رسالة رسائل رسالتي رسايل رساله رسالاتي رسائلي مسج مسجات مسيج مسجي ماسج ميساج ميساجات بريات message messages msg msgs mesage resala risala rsala text texts note whisper همسة كلام',
  send: 'sift katabt katabtelo ba3at ba3atlo ابعتو ابعتلو نبعتو يصيفطو مراسلة مبعوت باعث كاتب مكتوب اوجه احكي حكيت احكيله اخبر اصارح اصارحه صارح ابوح نكتب كنكتب يكتب يكتبون sends composing compose deliver طرش اطرش مطرش ادز دزيت دزلي leave_a_message leave_message dm احكي_له slide say said قال قلت اقول اعترف اعترفت confess confession كتب اكتب أكتب كتابة بكتب ارسل أرسل ارسال إرسال ابعت بعت نبعت ابعتها يبعت تبعت ابعث أبعث بعث ابعثها يرسل ترسل نرسل راسل اراسل أراسل دز صيفط نصيفط صيفطت نبعث سيفط send sending write writing submit post drop ab3at b3at',
  i_sent:
    'ارسلت أرسلت ارسلته ارسلتها بعته بعتها بعتله بعتلها بعتلهم بعتت بعثت بعثتها كتبته كتبتها راسلت باعته ابعتله i_sent i_wrote i_said i_posted i_have_sent ive_sent i_already_sent كتبت اكتبله اكتبلها كتبتله كتبتلها بكتبله صيفطتها',
  to_me:
    'دزلي طرشلي طرش_لي said_about_me about_me يقولون_عني قالوا_عني كتب_لي كتبت_لي ارسلت_لي يجي_لي تجي_لي يكتبلي بيكتبلي يبعتلي بيبعتلي بتبعتلي تبعتلي يبعتولي يكتبولي بيكتبولي كاتب_لي جالي_كلام يوصلني_شي writing_to_me writes_to_me messaging_me messages_me texts_me contacted_me write_about_me people_write وصلتني توصلني تصلني وصلني وصلت بتوصلني يوصلني توصل جاني جاتني جتني جالي جاتلي بتجيلي بيجيلي تجيني يجيني يوصل بعتلي بعتهولي بعتولي بعتتلي ارسلي ارسلها_لي ارسل_لي ارسله_لي أرسل_لي كتبلي كاتبلي باعتلي راسلني ارسلوا_لي يرسلون_لي يكتبون_لي صيفط_ليا صيفط_لي جاوني استلمت استقبلت استلم استلام المستلمة sent_me send_me sent_to_me write_to_me write_me wrote_me wrote_to_me wrote_this_to_me messaged_me texted_me received receive receiving i_got i_received get_messages got_messages sends_me writes_me',
  read: 'اخلي_الرسالة_مقروءة قرا قرأ قرى اقرا أقرأ قراءة قرأت قريت يقرا يقرأ يقرؤون يقرون بيقرا تقرون قرات مقروءة مقروءه مقروء انقرت read reads reading readed unread',
  mark: 'علمها علم_الرسالة اعلمها مكتوب_جديدة اخلي_الرسالة_مقروءة اعلم_على علامة علامه نقطة_حمراء النقطة_الحمراء العلامة_الحمراء احمر الأحمر حمراء mark dot red red_dot green label badge_new new_badge',
  inbox: 'inbox صندوق الوارد وارد mailbox received_list',
  reply:
    'يجاوب يجاوبني جواباتي اجابة إجابة اجيب reaction جاوبني جاوبتني رد رده ردي ردك ردها ارد أرد الرد ردود يرد رديت نرد جواب اجاوب أجاوب جاوب نجاوب reply replies respond response answer answered answers replied write_back responded',
  publish:
    'اخلي_الناس_تشوف اخلي_الناس_يشوفون انزل_الرسالة انزل_رسالة نزل_الرسالة انزلها العام للعام على_العام ينشر تنشر منشورين النشر_في ابرزها اعرضها عرض اعرض pin feature showcase اخلي_الرسالة خلي_الرسالة تخلي_الرسالة نخلي_الرسالة بدي_يشوفو ابيهم_يشوفون ابي_يشوفون ابغى_الناس ابي_الناس بدي_الناس عايز_الناس ابي_الكل ابغى_الكل بدي_الكل let_others let_people let_everyone i_want_people i_want_everyone نشر انشر أنشر انشرها نشرت منشورة منشور عامة عامه العامة علنية علني للعلن publish public published publishing publicly post_on_my_page نبليه',
  hide: 'الغاء_النشر الغي_النشر شيلها_من_صفحتي unshow private_again خاصة_مرة اخفاء اخفي أخفي اخبي خبي يختفي تختفي اخفيها hide hidden hides unpublish unlist invisible take_down take_off',
  undo: 'pull_back get_back pull ارجع ارجعها نرجع تراجع التراجع رجع اسحب سحب اسحبها undo unsend unsent take_back take_it_back recall withdraw retract revert',
  private: 'privately خاصة خاص خاصه خصوصية خصوصيه مقفلة مقفل سرية سريه سرا private privacy secret confidential',
  picture:
    'ميم meme معرض كاميرا gallery camera البوم selfies تصاور صوري صورو سكرين_شوت سكرينشوت لقطة_شاشة screenshot صورة صور صورتي صوره الصوره صورته بيكتشر تصويرة تصويره تصويرتي فوتو image images picture pictures pic photo photos pics foto img photograph sora soura gif jpg png webp',
  avatar:
    'افتار أفتار أفاتار الافاتار صورة_البروفايل صورة_بروفايل صورة_الحساب صورة_البروفيل صورة_بروفايلي صورتي_الشخصية الصورة_الشخصية صورة_شخصية صورة_العرض avatar profile_pic profile_picture profile_photo profilepic pfp selfie dp display_picture',
  voice:
    'فويسات speaking speak talk_into احكي_بصوتي لهجتي لهجة نبرة نبرتي accent tone voise vioce صوت صوتي صوتى صوتية صوتيه صوته اصوات فويس فوكال فويس_نوت بصوتي voice audio sound vocal voices voicenote voice_note voice_notes vn sot sout بصمة ريكورد',
  record: 'تسجيل سجل اسجل أسجل سجلت ريكورد تسجيلي نسجل تسجيلات record recording recorder records recorded recordings',
  pause:
    'استكمل اكمل_تسجيل ايقاف_مؤقت اوقف_التسجيل وقف_التسجيل اكمل_التسجيل pause resume paused stop_recording re_record record_again اعيد_التسجيل اعيد_تسجيل اعادة_التسجيل',
  altered:
    'really_sound متغير مغيره معدل يتحور pitch filter_on_my_voice robot_voice changer كيتبدل يتبدل بيتبدل تغير_صوتي محرف تحريف يشوه تشويه يتعدل يتغير بيتغير مغير فلتر_صوت تغيير_الصوت altered changed modified disguised masked distorted morphed disguise effect undo_the_voice real_voice original الحقيقي اصلي الأصلي الاصلية الاصلي',
  listen:
    'اسمع أسمع استمع سماع سامع يسمع يسمعون بيسمع يسمعوا نسمع اشغل play plays listen hear hearing playback playing heard تشغيل',
  preview:
    'معاينة معاينه preview previewing before_sending قبل_ارسله قبل_ما_ارسل قبل_ما_ابعت قبل_الإرسال قبل_ارسالها before_i_send قبل_لا_ارسل hear_it_first',
  microphone: 'ميكروفون مايك مايكروفون المايك ميكرو ميكرفون microphone mic mics',
  link: 'الروابط حلقة address_of_my_page رابط رابطي لينك لينكي لنك الرابط ليان لينكات link url links lien lnk',
  share:
    'tell_my_friends_about tell_people_about انزل_رابطي_في ابعت_اللينك ارسل_رابطي ارسل_الرابط send_my_link post_my_link advertise_my publicize اعلن_عن انزل_رابطي انزل_اللينك اشارك أشارك مشاركة شارك نشارك نبارطاجي بارطاجي احط_رابطي احط_اللينك share sharing spread promote sticker ستوري قصة القصة سطوري حالة story stories instastory',
  apps: 'spotify steam paypal اكس انستا انستقرام انستغرام انستجرام سناب سنابشات سناب_شات تيك_توك تيكتوك واتس واتساب واتس_اب فيسبوك فيس فايسبوك تويتر تلغرام تليجرام تلجرام اكس يوتيوب ديسكورد instagram insta ig snapchat snap tiktok whatsapp facebook fb twitter telegram youtube discord reddit linkedin netflix',
  copy: 'نسخ انسخ أنسخ انسخه copy copied copying paste',
  site: 'موقع الموقع نجوى نجوي سيت السيت site website najwa webpage نجوا',
  page: 'صفحه باج رئيسية الرئيسية صفحة صفحتي الصفحة صفحته صفحتها page pages wall',
  search:
    'احصل احصلها احصله اجيب بجيب نجيب اعثر عثر اوصل_ل بحث ابحث أبحث ادور دور ندور لقى القى ألقى اجد أجد الاقي ألاقي بلاقي نلقى find search locate look_for finding found',
  they_know:
    'ye3raf y3raf yi3raf haye3raf hay3raf kay3ref kay3rfo y3arfni ya3rif يعرفني سيعرفني يكتشفني يعرف_اني find_out_who_i_am know_who_i_am know_who_i see_who_i يعلم سيعلم يعلمون يعلموا سيعرف سيعرفون يكتشف يكتشفون يكتشفني يكتشفوا اكتشاف يفضحني انفضح يستنتج يخمن يتوقع aware guess suspects suspect detect work_out figures_out linked_to connected_to tied_to associated_with مرتبط مربوط know know_it_was know_that_i يدري تدري يدرون بيدري ما_يدري يعرفو تعرفه person_know people_know owner_know recipient_know anyone_know somebody_know someone_know friends_know she_knows he_knows they_find_out tell_who_i_am realise realize notice guess_its_me trace_it traceable expose exposed caught يعرف يعرفون يعرفوا يعرفني يعرفوني تعرفني هيعرف هتعرف حيعرف بيعرف بيعرفو بيعرفوا هيعرفوا ينعرف انعرف يتعرف تتعرف يتعرفون يتعرفوا التعرف تعرف_علي يميزني يميز يكشف يكشفني ينكشف يكشفوني يعرفك اتكشف كيعرف غيعرف will_know they_know he_know she_know find_out finds_out identify recognise recognize recognizable recognisable recognised recognized figure_out tell_its_me know_its_me trace traced knows',
  i_know:
    'see_who see_whos know_whos tell_who اشوف_مين اعرف_مين ادري_مين اعرف_من نعرف_شكون اعرف_منهو ادري_من نعرف_مين بعرف_مين كيف_اعلم احدد اخمن خمن اكتشف نكتشف guess_who know knowing ادري ندري نعرفو عرفت تعرفوني_على تعرفوني_ع عرفني_مين find_out_who find_out_their عرف_لي اعرف أعرف اعرفه نعرف بعرف معرفة اكشف أكشف كشف عرفوني_مين تقولولي قولي قل_لي قولولي قولوا_لي اخبرني احزر find_who tell_me_who reveal unmask discover who_is_it who_was_it عطني_اسم اعطيني_اسم',
  know: 'فهم معلومة',
  myself:
    'is_from_me its_from_me find_out_who_i_am know_who_i_am see_who_i_am see_who_i know_who_i tell_who_i who_i who_am_i_is شخصيتي ان_انا اني_انا_اللي انا_مين مين_انا من_انا من_اكون من_أكون اني_انا إني_أنا اني_اللي انا_اللي انا_الي إن_انا اني_كتبت اني_ارسلت اني_بعت هويتي هوية its_me it_is_me it_was_me that_its_me who_i_am who_am_i was_me my_identity identity me_who',
  sender:
    'المرسل مرسل مرسلين المرسلين كاتب الراسل راسل باعت صاحب_الرسالة صاحب_رسالة المجهول sender senders author wrote writer sent who_wrote who_sent',
  owner:
    'other_end the_other_end المرسل_اليه المرسل_إليه اللي_ارسلت_له اللي_بعتله اللي_كتبتله الي_كتبت_له الشخص_الثاني الطرف_الاخر person_i_wrote_to who_i_wrote_to the_other_person مول_الصفحة مولات_الصفحة مول_الباج page_holder المستلم مستلم صاحب_الصفحة صاحب_الصفحه صاحبة_الصفحة صاحب_الحساب مالك الطرف_التاني الطرف_الثاني المتلقي owner recipient receiver page_owner the_other_side other_person',
  anonymous:
    'المجهولية مجهولية anonymity سريتي السرية متستر مستور مجهولين سري unidentified secretly unnamed hide_my_name hide_my_identity اخفاء_هويتي اخفاء_اسمي اخفي_اسمي بدون_ذكر_اسمي سر سرا متخفي مجهول مجهولة مجهوله مجهولا مخفي سري_تماما unknown anonymous anonymity anonymously anon hidden بدون_اسم بلا_اسم من_غير_اسم بدون_ما_يعرف من_غير_ما_يعرف من_غير_ما_يعرفني nameless incognito majhoul بالسر in_secret',
  visitor:
    'متابعين_دخلوا بيدخل_صفحتي دخلوا_صفحتي stalks_my visits_my viewers audience lurkers زوارها زيارته يزور زرت بزور فتت_على فات_على opened_her_page opened_his_page opened_their_page i_visited زار زاروا زارني زائر زوار زيارة زيارات الزوار مشاهدات مشاهدة visited visitor visitors visit visits stalker stalking viewed_my who_viewed views دخل_صفحتي دخل_على_صفحتي دخلو_صفحتي شاف_صفحتي شاف_بروفايلي دخل_بروفايلي traffic',
  count: 'شكد شگد عدد عداد كم كام شحال قديش كمية احصي count counter number how_many many total amount numbers',
  online:
    'اخر_مره_دخلت ظاهر_متصل invisible_mode activity_status اوف_لاين اوفلاين متصل اونلاين أونلاين ظهور اخر_ظهور آخر_ظهور حالة_الاتصال online active last_seen presence offline status متواجد',
  notification:
    'خبر يوصلني_خبر يعلمني يعلموني تعلموني تبلغوني يبلغوني خبر_اذا رنين يبلغني يخبرني ينبهوني تبليغ_لي notifs notif inform informed اشعار إشعار اشعارات إشعارات نوتيفيكيشن تنبيه تنبيهات ينبهني جرس الجرس رنة notification notifications notify notified alert alerts bell buzz ping push',
  email:
    'الميل ميل ايميلات جيميل بريدك عنواني_البريدي عنوان_بريدي عنوان_البريد email_address e_mail_address emial ايميل إيميل ايميلي ايمايل بريد البريد بريدي الكتروني إلكتروني الالكتروني email mail gmail e_mail emails',
  bio: 'هواياتي هوايات hobbies سطرين سطر السيرة سيرتي نبذه_عني tagline intro about_section وصف_الصفحة write_about_me something_about_me جملة_تحت_اسمي تحت_اسمي سطر_عني نبذة نبذتي النبذة نبذه وصف وصفي بايو تعريف_عن_نفسي تعريف عن_نفسي bio description biography',
  gender:
    'male_to_female change_male change_gender غلط_الجنس جنس الجنس ذكر انثى أنثى مذكر مؤنث ولد_بنت gender sex im_a_girl im_a_woman انا_بنت',
  verified:
    'علامة_زرقاء العلامة_الزرقاء العلامه_الزرقاء العلامة_الزرقا علامة_زرقا الصح_الازرق صح_ازرق blue_one التحقق_من_الحساب صحيحة_زرقاء blue_badge verified_badge توثيقي شارة_التوثيق موثق موثقة توثيق التوثيق اوثق توثق علامة_الصح علامة_صح الصح صح verified verify verification tick checkmark blue_tick blue_check bluetick check_mark',
  admin:
    'فريق_الموقع فريق_نجوى المسؤول المسؤولين مسؤول moderation site_team supervisors مبرمج_الموقع القائمون team_behind the_team ادمن أدمن الادمن مشرف مشرفين مشرفون المشرفين مدير مدراء ادارة الإدارة القائمين المطور مطور المطورين اداري admin admins administrator administrators moderator moderators mod mods developer developers staff owners_of_the_site',
  panel: 'لوحة لوحه داشبورد dashboard panel tab tabs تبويب console',
  tracking: 'تتبع التتبع تتبعون تراقبون مراقبة يتتبع tracking track trace_data tracked monitor',
  log: 'سجل_الاطلاع سجل_الوصول سجل_الدخول_للبيانات audit access_log audit_log من_اطلع اطلع_على',
  data: 'بيانات بياناتي معلومات معلوماتي داتا data information info details metadata',
  keep: 'تجمعوه تخزنوه تحتفظ بتحتفظوا يبقى_محفوظ recorded_about retained archive archived تحفظون تحفظوا تحتفظون تخزنون تخزنوا بتخزنوا تخزين تجمعون تجمعوا تجمع يحفظ يتحفظ بتتحفظ يخزن تسجلون بتسجلوا تسجلوا محفوظة محفوظ تحفظ يسجل keep store stored collect save saved kept storing saves collected log_my logs retain retention',
  location:
    'عنوان_بيتي عنوان_سكني بيتي وين_بيتي مدينة my_house my_city where_im_at مكاني مكان مدينتي بلدي وين_انا وين_ساكن موقعي موقعي_الجغرافي لوكيشن location gps place city country whereabouts geolocation live_in where_i_live',
  exif: 'exif الخفية بيانات_الصورة metadata_of_photo taken_where where_it_was_taken was_taken اسم_الملف file_name filename',
  safe: 'خطر خطير خطيرة risk risky dangerous malware virus فيروس leak leaked تسريب يتسرب تسرب امن آمن امان أمان آمنة امنة آمنه حماية محمي محمية موثوق موثوقة ثقة اثق يهكر هكر تهكير اختراق مخترق نصب احتيال safe secure security protected protection trust trusted trustworthy hack hacked hacker scam legit fraud encrypted encryption مشفر تشفير مشفرة',
  police:
    'يخالف القانون قانون مخالفة illegal قضاء القضاء محكمه_ما جرايم الجرائم_الالكترونية جرائم محضر قاضي القاضي سجن اسجن نيابة النيابة cybercrime sue sued lawsuit شرطة الشرطة مباحث محكمة قضية قانوني الحكومة بوليس الجهات_الأمنية police court legal law government authorities lawyer subpoena judge vpn في_بي_ان proxy',
  long: 'حد_للكتابة اقصى_حد how_long سقف maximal upper حد_الحروف حد_معين الحد طول طويل طويلة اطول أطول مدة مده اقصى أقصى اقصاها حد_اقصى كحد_اقصى long length maximum max limit limits longest lenght',
  letters:
    'بالكثير capital capitals uppercase lowercase حروف حرف احرف الأحرف كلمات كلمه characters letters charachters words chars word word_limit charcter',
  minutes: 'دقائق دقيقة دقيقه دقايق ثانية ثواني minutes minute min seconds mins duration',
  period: 'retention يوم ايام أيام اسبوع شهر اشهر ساعة ساعات day days week month months hours 90 ٩٠ year',
  short: 'قصيرة قصير قصيره اقل_طول اقل_عدد اقل short minimum min_length least shortest',
  upload: 'رفع ارفع أرفع ترفع تترفع تنرفع انرفعت تتحمل تحميل احمل upload uploaded uploading load uplod',
  attach: 'ارفق أرفق ارفاق إرفاق اضيف أضيف اضافة إضافة احط attach add include insert attachment adding',
  big: 'ثقيل ثقيلة حجم كبير كبيرة كبيره اكبر ميجا ميغا ميقا ميغابايت size big large mb megabytes heavy huge too_big 8mb 5mb 2mb 10mb bigger',
  format:
    'نوع انواع أنواع صيغة صيغ امتداد غير_مدعوم غير_مدعومة type types format formats unsupported extension supported',
  language:
    'فرنساوي بالانكليزي انكليزي الانكليزية english_version translated لغة اللغة لغه عربي بالعربي العربية عربيه انجليزي انقليزي بالانجليزي الإنجليزية انجليزيه الانجليزيه فرنسي language arabic english languages lang french عربى بالعربى',
  app: 'iphone_app انزل_نجوى انزل_التطبيق انزله احمله احمل_التطبيق انزل_البرنامج كيف_انزل ابستور ابليكيشنات بلاي_ستور desktop_app تابلت tablet تنزيل_التطبيق install installed installing تثبيت اثبت تطبيق التطبيق ابلكيشن ابليكيشن برنامج متجر ستور قوقل_بلاي جوجل_بلاي google_play app_store play_store اب_ستور app application apk ايفون اندرويد أندرويد ايباد iphone android ios ipad download_the_app',
  phone: 'جوال جوالي موبايل موبايلي هاتف هاتفي تلفون تليفون تلفوني phone mobile cellphone',
  free: 'يكلف تكلف بيكلف كلفة مجانى مدفوعه اشترك_بفلوس فلوس_لازم costs pricing how_much price مجاني مجانا مجاناً مجانية مجانيه ببلاش بلاش فلوس سعر اشتراك ادفع دفع مدفوع مدفوعة فابور بفلوس تكلفة رسوم free cost pay paid payment subscription money charge fee fees premium_plan dollars',
  emoji:
    'ايموجي إيموجي ايموجيات سمايل سمايلات رموز رموز_تعبيرية وجوه فيسات emoji emojis emoticon smiley emojies smileys',
  suggest:
    'فرغت_افكاري نفدت_افكاري اكتب_ايه اكتبله_ايه اكتبلها_ايه اقوله_ايه اقولها_ايه اقول_ايه وش_اكتب ايش_اكتب شو_اكتب شنو_نكتب وش_اقول وش_اقول_له شو_احكي شو_احكيله ماذا_اكتب what_to_write what_to_say what_should_i_say what_should_i_write what_do_i_say what_do_i_write ask asking اسأله اسألها اساله الهام اقتراح اقترح أقترح اقترحوا مقترح مقترحة أفكار افكار فكرة_رسالة اعطني_فكرة عطني_فكرة عطني_سؤال اسئلة_مقترحة اسئلة_جاهزة اقوله_ايه اكتب_ايه ايش_اكتب وش_اكتب شو_اكتب ماذا_اكتب وش_اقول ايش_اقول ماذا_أكتب inspire inspiration suggest suggestion suggestions suggested idea ideas dont_know_what_to_write what_to_write what_should_i_write what_to_say what_to_ask what_should_i_say ready_made prompt prompts stuck_for_words',
  sent_list:
    'المرسلة مرسلة المرسله اللي_بعته اللي_ارسلته يلي_كتبته sent_messages sent_list sent_folder what_i_sent what_i_wrote sent_items messages_i_sent',
  failed:
    'مفيش_حاجة_بتحصل ما_يصير_شي ولا_يصير_شي ما_بيصير_شي مبيحصلش_حاجة مفيش_حاجة_حصلت nothing_happened does_nothing ما_عم تنحفظ ما_تنحفظ ما_تطلع ما_يطلع ما_تظهر ما_يظهر ما_يسجل ما_يسمع ما_ينفتح ما_تنفتح ما_يوصل ما_توصل ما_يقبلها ما_يرضى ما_يمشي ما_كتمشي ما_خدامش ماكيخدمش invalid denied خلل عالق علقت تعطل متعطل يفشل لا_تصل لا_يصل لم_تصل لم_ترسل لم_تُرسل ماعم خربت بايظ بايظة مكسور freezes frozen unresponsive blank ما_وصلت ماوصلت ما_وصل ما_انرسلت ما_راحت ماراحت ما_تنرسل ماتنرسل ما_ترسل ما_ينرسل ما_يرسل ما_بتنبعت مابتنبعت did_not_arrive didnt_arrive never_arrived not_arrive did_my_message هل_وصلت ما_تفتح ما_يفتح مايفتح ما_يشتغل ما_تشتغل مايشتغل ما_بيشتغل ما_عم_يشتغل مابيشتغل not_working doesnt_work dont_work wont_work ما_تتحمل ما_تترفع ما_ترضى ما_رضت ما_رضى يرفض رافض ما_يقبل لا_تقبل 401 500 403 يعلق بيعلق معلقة واقف واقع هنج بطيء بطيئة slow lag laggy down crash crashes مرفوضة رفض error مشكلة مشكله خطا خطأ عطل عطلان يقبل يرضى راضي راضية رضت رضى شغال شغالة يشتغل تشتغل اشتغل ماشي فشل معلق تعذر خربان يطلعلي_خطأ كيخدم خدام يعمل لا_يعمل لا_تعمل لا_يفتح problem issue fail fails failed broken working work works stuck cant wont doesnt isnt couldnt cannot bug glitch nothing_happens rejected refused not_accepted never_loads loading_forever nothing not_going_through go_through throws',
  not: 'ما_عاد معاد ما_عم ماعم مابقيت ما_بقيت لا_اقدر لا_يمكن مايمكن مقدرش مقدرتش ماقدرش ما_ابي ما_ابغى مابي ماابي مابغى ما_بدي مابدي مش_عايز مش_عاوز ما_اريد لا_اريد ماريد dont_want do_not_want no_longer ماعاد_ابي مش مو مب موش مهوب ليس مفيش مافي مافيه لم لن ماني ماقدر ماقدرت لا_استطيع لا_أستطيع مش_عارف ما_اقدر ما_أقدر مااقدر ما_قدرت not no never dont didnt wasnt unable havent',
  open: 'يتحل كيتحل تتحل حليت مفتوح مفتوحة يفتح تفتح فتح بيفتح يفتحون ينفتح open opens opened opening access enter_my_page يدخل_صفحتي',
  attempts:
    'مقفل_علي مقفول_علي اتقفل_علي قفل_علي قفلني locked_out locked_me locks_me locked too_often tried_too كذا_مرة اكتر_من_مرة اكثر_من_مرة عدة_مرات several_times many_times مرات_كثيرة خمس_مرات محاولات محاولة كثرة_المحاولات محاوله attempts attempt tries try_again_later too_many locked_out locked quarter_of_an_hour ربع_ساعة guess',
  wait: 'too_fast انتظر انتظار استنى انتظر_قليلا اصبر wait waiting slow_down cooldown wait_a_little',
  many: 'too_many_messages حد_الرسائل حد_للرسائل اكثر_من_عشر كثيرة كثير كثيره كتير كتيره بزاف often plenty lots spam_limit per_minute في_الدقيقة باليوم في_اليوم per_day how_often rate_limit',
  second:
    'another_account another_one ثاني تاني ثانية_حساب حسابين اكثر_من_حساب أكثر_من_حساب اكتر_من_حساب اكتر_من_اكونت حساب_ثاني حساب_تاني second two multiple several more_than_one 2_accounts extra',
  other: 'besides غيري اخرى آخر another_person other else',
  device:
    'سايبر مقهى_الانترنت انترنت_كافيه internet_cafe تابلت ايباد لابتوبي macbook جهاز اجهزة أجهزة الاجهزة جهازي كمبيوتر لابتوب device devices computer laptop library pc',
  session:
    'كل_الاجهزة كل_اجهزتي جميع_الاجهزة كل_الجوالات باقي_الاجهزة الاجهزة_الاخرى الاجهزة_الثانية all_devices all_my_devices other_devices every_device everywhere جلسة جلسات جلساتي الجلسات session sessions signed_in_on',
  stay: 'remember_me طلعني_لحاله keep_me_signed يبقى ابقى يظل مسجلا انتهت تنتهي لوحده لحاله stay stays ended ends expired expires expire expiry remain signed keeps_logging keeps_asking automatically_logged',
  filter:
    'فلتر فلترة تصفية اصفي تصنيف ارتب ترتيب رتب افرز filter sort order arrange oldest newest sorting older اقدم الأقدم الاحدث القديمة قديمة',
  stats: 'احصائيات إحصائيات احصاءات إحصاءات ارقام statistics stats',
  bad: 'فاحش فاحشة قلة_ادب عيب مقرف شوه تشويه تشهير سمعتي سمعة قذف sexual creepy creep nudes gross nasty قذر بذيء بذيئة وسخ وسخة قليل_ادب سيء سيئ سيئه وحش وحشة وحشه مسيئ قبيح قبيحة يقرف مقرف مقرفة يتنمرون يسبوني يشتمون شتمني سبني هددني يضايقوني اساءة إساءة اساء يسيئون سخرية يسخر تجريح يؤذيني bother bothering bothers toxic stalker abusive rape violent violence scary scare scaring disgusting disgust filthy vulgar dirty swear swearing curse يسب ابلكه قذر قذرة وقح بذيء بذيئة يخوف جارح جارحة يجرح يجرحني يهدد يهددني تهديد تهديدات يضايقني مضايقة ضايقني وسخة وسخ بيشتمني يشتمني يسبني بيسبني يزعجني يسيء مسيئة مسيء ازعاج إزعاج مزعجة مزعج تنمر يتنمر شتم شتيمة شتائم سب تحرش يتحرش اهانة سيئة يبتز ابتزاز يبتزني يعايرني كلام_وحش bully bullying bullied threat threats threaten threatened threatening insult insults insulting insulted abuse harassment harass harassing harassed offensive rude nasty spam hate hateful blackmail creep creepy mean_messages mean_things mean_stuff horrible',
  block:
    'احجب حجب احظر blocked unblock make_someone_stop امنعه حظر أحظر احظره بلوك بلوكه امنع أمنع منع ابلك block ban prevent blocking mute stop_someone',
  report: 'ابلغ_عن reported ابلاغ إبلاغ بلاغ ابلغ أبلغ تبليغ شكوى اشتكي report reporting flag complain complaint',
  assistant:
    'مساعد المساعد روبوت بوت الشات شات_بوت شات_جي_بي_تي ذكاء_اصطناعي assistant bot chatbot robot ai chatgpt gpt machine chat_window',
  you: 'تتكلم_معي اتكلم_مع بتكلم آلة مين_معي مين_معاي من_معي معاي_مين what_can_you can_you_help how_can_you help_me_with ask_you تقدر_تساعدني بتساعدني تساعدني فيك_تساعدني your_name شو_اسمك وش_اسمك انت_انسان انت_مين مين_انت من_انت هل_انت انت_بوت انت_روبوت انت_حقيقي انت_شو منو_انت بكلم_مين بتكلم_مع_مين are_you who_are_you what_are_you you_are r_u talking_to am_i_talking real_person real_human human انسان بني_ادم بشر بشري',
  with_you:
    'فضفضت_لك افضفض_لك فضفضتلك احكيلك احكي_لك قلتلك قلت_لك بقولك write_here say_here ask_here type_here اكتب_هنا نكتب_هنا اكتبه_هنا اقوله_هنا بيني_وبينك بينا وبينك معك معاك لك_هنا اقوله_لك اقولك اكتبه_لك اللي_اكتبه_لك كلامي_معك كلامي_معاك هنا_معك مع_المساعد مع_البوت للمساعد للبوت what_i_tell_you tell_you told_you i_tell_you with_you to_you this_chat the_chat you_remember our_chat this_conversation typed_here',
  automatic:
    'على_طول automatically straight_away immediately لوحدها تلقائي تلقائيا التلقائي تلقائية محلي المحلي automatic local local_mode automatic_mode auto',
  conversation:
    'حكينا حوار حواري discussion محادثة محادثات محادثتي محادثتنا دردشة دردشتي الشات كلامي_معك conversation conversations chat chats talk',
  required:
    'ضروري_ان من_الضروري هل_يجب ضروري شرط_ايميل يلزم لازم اجباري إجباري مطلوب required necessary mandatory must obligatory compulsory gotta have_to optional اختياري',
  without: 'بدون دون بلا من_غير من_دون بلا_ما without w_o no_account',
  rules:
    'شروط_اسم شروط_كلمة شروط قواعد مسموح مسموحة يسمح يقبل_نقطة requirements rules allowed requirement valid criteria strong',
  symbols:
    'مسافة_في مسافه_باليوزر نقطة شرطة شرطه ارقام_يوزر رقم فراغ underscore dot_in_username dash space digits numbers_in special_characters',
  taken:
    'ماخذ ماخذين ماخذينه واخده واخدينه خداوها اخذه اخذوه مستعمل محجوز مأخوذ موجود_بالفعل مستخدم_بالفعل مستخدم_من_قبل already_taken already_used already_exists exists reserved unavailable taken in_use',
  exists:
    'غير_موجود غير_موجوده غير_موجودة مو_موجود مش_موجود مالقينا ما_لقينا not_found 404 doesnt_exist does_not_exist no_such_user missing nobody_there user_not_found',
  male: 'boy_voice like_a_guy a_guy رجال رجل رجالي صوت_رجل ذكوري شاب شب male man',
  female: 'girl_voice like_a_girl im_a_girl امراة امرأة نسائي بنت صوت_بنت حريمي انثوي فتاة female woman lady',
  choose: 'المتوفرة اختار أختار اختيار خيارات choose pick select options choice which_voice selecting',
  dark: 'عتمة معتم dimmer داكن داكنة ليلي الليلي مظلم دارك سوداء اسود توجع فاتحة dark night theme bright dark_mode black light_mode white brightness',
  hello:
    'مرحبتين حياك هالو salut bonjour marhaba assalam heya مرحبا مرحبًا اهلا أهلا اهلين السلام_عليكم السلام سلام هلا هلا_والله هاي هلو الو صباح_الخير مساء_الخير صباح مساء كيف_حالك كيفك شلونك ازيك عامل_ايه شخبارك لاباس hello hi hey greetings salam morning evening good_morning good_evening howdy sup whats_up how_are_you hola yo',
  thanks:
    'مشكورين شكرن thankyou thnx tysm grateful شكرا شكراً مشكور مشكورة تسلم تسلمي يعطيك_العافية العافية ممنون متشكر متشكرة الف_شكر جزاك_الله جزاك merci ميرسي thanks thank thx ty appreciate appreciated cheers thank_you',
  bye: 'مع_السلامة مع_السلامه سلامه_بقى وداعا باي لقاء الى_اللقاء تصبح_على_خير bye goodbye cya see_you later_bye bye_bye good_night',
  start:
    'اول_شي اول_حاجة اول_خطوة ابدا ابدأ نبدا اول_مرة لاول_مرة جديد_هنا جديدة_هنا خطوة start started begin beginner newbie first_time new_here getting_started tutorial guide instructions اشرح شرح اشرحلي استخدم استعمل استخدام نستعمل use_it use_this works_here',
  idea: 'شرح_عن نبذة_عن_الموقع معلومات_عن_الموقع فكرة هدف فايدة الفايدة فائدة purpose point idea for_what what_for whats_this about_this_site',
  function: 'بيشتغل يشتغل_الموقع يعمل_الموقع تعمل_نجوى works_how work_here how_it_works',
  ads: 'اعلان اعلانات إعلانات دعاية ads advertising adverts advertisements sponsors',
  video: 'فيديو فيديوهات مقطع pdf ملف ملفات مستند video videos document documents file files clip mp3',
  contact:
    'اكلمه اكلمهم اكلم_احد اكلم_حد احكي_مع_حدا_من speak_to_someone تواصل اتواصل أتواصل الدعم دعم خدمة_العملاء الدعم_الفني اكلمكم اكلم_حد_من_الموقع contact support customer_service helpdesk reach reach_you get_in_touch complaint_to_you اقتراح_لكم feedback',
  makers:
    'صاحب_الموقع اصحاب_الموقع مالك_الموقع owner_of_this_site owner_of_the_site owns team صنع صممه صممها برمج سوا_الموقع اسس عمل_الموقع مؤسس صنعها عملتوا made_this built founder who_made who_built created_by company behind شركة credit portfolio الفريق فريق',
  two_factor:
    '2fa two_factor mfa two_step خطوتين التحقق_بخطوتين المصادقة_الثنائية بخطوتين رمز_تحقق otp authenticator sms_code',
  social: 'قوقل جوجل غوغل google apple ابل آبل بحساب_قوقل بحساب_جوجل بحساب_فيسبوك',
  danger:
    'ending_my_life ending_my_own_life end_of_my_life take_my_own_life taking_my_life انهاء_الحياة انهي_الحياة اموت_احسن wish_i_was_dead wish_i_were_dead better_off_dead dont_wanna_live اريد_انهاء_حياتي end_my_own_life مش_قادر_اعيش مش_عايزة_اعيش عايزه_انتحر انتحار انتحر الانتحار بانتحر هنتحر ننتحر نفسي_اموت ابغى_اموت بدي_موت بدي_اموت عايز_اموت عايزة_اموت اريد_ان_اموت اريد_الموت اتمنى_الموت ابي_اموت ودي_اموت افكر_اموت انهاء_حياتي انهي_كل_شي انهي_كل_شيء رغبة_بالحياة رغبة_في_الحياة ماله_داعي_اعيش تعبت_من_العيش اموت_وارتاح ما_اريد_العيش ماعاد_ابي_اعيش مابقاش_عايز_اعيش لا_اريد_ان_اعيش اقتل_نفسي اأذي_نفسي اذي_نفسي أؤذي_نفسي اؤذي_نفسي عايز_اعيش ابغى_اعيش اريد_العيش كاره_حياتي كرهت_حياتي تعبت_من_الحياة تعبت_من_حياتي انهي_حياتي أنهي_حياتي مابدي_عيش ما_ابي_اعيش suicide suicidal kill_myself killing_myself hurt_myself hurting_myself harm_myself self_harm end_my_life end_it_all want_to_die wanna_die to_be_dead be_alive dont_want_to_live want_to_live no_reason_to_live ending_it_all suicde sucide cut_myself kms cutting_myself take_my_life',
  receipt:
    'هل_قراها انه_قراها he_read she_read they_read he_opened she_opened they_opened he_saw she_saw they_saw read_mine انه_انقرت يعرف_اني_قرأت يوصله_اني قرأت_رسالته قريت_رسالته قرا_رسالتي قرأ_رسالتي شاف_رسالتي شافها شافت_رسالتي فتح_رسالتي انقرت_رسالتي read_receipt read_receipts i_read_it i_read_their seen_it did_they_read did_he_read did_she_read اني_قرأت إني_قرأت اني_قريت اني_قريتها',
  pause_receiving:
    'استقبل استقبالي turn_off switch_off disable اوقف أوقف وقف ايقاف إيقاف اعطل استقبال اوقف_استقبال اوقف_الرسائل stop_receiving stop_messages pause_messages turn_off_messages close_my_inbox disable_messages stop',
  forever_kept:
    'some_time a_while بعد_فترة بعد_مدة مع_الوقت eventually تختفي_الرسائل تنحذف_لوحدها تنمسح_لحالها disappear disappears vanish expire_messages deleted_automatically تنحذف_تلقائيا تروح_لحالها',
  reviews: 'اراء آراء تقييمات تقييم مراجعات شهادات testimonials testimonial reviews review ratings',
  terms:
    'شروط_الاستخدام الشروط_والاحكام الشروط_والأحكام سياسة_الخصوصية سياسه_الخصوصيه terms_of_use terms_of_service tos privacy_policy terms policy conditions',
  history:
    'محادثاتي_القديمة كلامنا_القديم السابقة سابقة القديم previous old_chat earlier history past yesterday_chat chat_history',
  act: 'بنفسك تحذف_لي تغير_لي تسوي_لي تمسح_لي تعمل_لي تحذفلي تغيرلي تمسحلي تعملي تسجلني تدخلني_حسابي you_do_it you_delete you_change log_me_into log_me_in احذف_لي غير_لي امسح_لي سوي_لي اعملي سويلي اعمللي do_it_for_me for_me on_my_behalf بدالي عني can_you_delete can_you_change can_you_send can_you_make',
  download: 'تنزيل نزل احفظ_الصورة حفظ_الصورة download save_the_picture save_picture save_the_image save_image',
  enlarge: 'اكبر_الصورة تكبير كبر full_size zoom enlarge bigger_picture كاملة',
  button:
    'اضغط ضغط ضغطت بضغط ادوس بدوس دوست اكبس بكبس كبست انقر نقرت كليك نبرك press pressed click clicked tap tapped hit زر زرار ازرار button buttons icon ايقونة',
  settings: 'اعدادات الإعدادات الاعدادات ضبط settings setting preferences options_page',
  they_replied:
    'did_he_reply did_she_reply did_they_reply did_he_answer did_she_answer did_they_answer did_she_respond did_he_respond رد_علي رد_عليا رد_عليه ردت_علي ردت_عليا ردوا_علي جاوبني جاوبتني جاوبوني هل_رد انه_رد اذا_رد لو_رد ردود_على_رسائلي الردود_على_رسائلي has_anybody has_anyone replied answered responded he_reply she_reply they_reply he_replied she_replied they_replied he_answered she_answered they_answered reply_to_me answer_me answered_me',
  whether:
    'اعرف_اذا اعرف_ان اعرف_لو اعرف_اني اعرف_انه ادري_ان ادري_اذا ادري_لو ادري_اني know_if know_when know_that_a know_whether tell_if tell_when ينبهني_اذا',
  lock_page:
    'hide_my_page lock_my_page lock_my_profile اقفل_صفحتي صفحتي_خاصة صفحتي_مقفلة my_page_private my_profile_private make_my_page_private اخفي_صفحتي page_private',
  premium: 'premium بريميوم بريميام vip developer_badge شارة_المطور شارة_مطور badge شارة',
  become: 'اصير become اكون ابقى صير تصير becoming',
  who_sees:
    'who_can_see who_sees who_can_read who_reads who_else who_gets_to_see who_will_see مين_يشوف مين_بيشوف من_يرى مين_يقرا مين_بيقرا من_يشوف مين_يقدر_يشوف مين_بيقدر_يشوف من_يستطيع_رؤية من_يقرأ شكون_يقدر_يشوف شكون_كيشوف مين_ممكن_يشوف',
  how_long:
    'كم_شهر كم_سنة كم_اسبوع how_many_months how_many_weeks for_how_long how_long كم_مدة كم_تحتفظون كم_تبقى كم_يبقى كم_تظل قد_ايه_بتفضل how_many_days كم_يوم كم_شهر',
  /** What is surely about something else. */
  elsewhere:
    'is_broken wont_turn_on battery charger wifi wi_fi واي_فاي الواي_فاي بطارية شاحن ماسنجر الماسنجر messenger اخترع اخترعت مخترع inventor اسنان dentist doctor euro euros pound pounds dollar dollars sterling currency يورو meaning_of_life معنى_الحياة دول_العالم ذاكرتي you_are_the_worst stupid_bot i_hate_you اكرهك fuck رمز_الايفون followers_on رقم_شخص shut_up you_suck اخرس اسكت_يا يا_غبي يا_حمار يا_كلب you_stupid useless junk تعارف اتعرف dating مايكروسوفت microsoft دولة brazil ايام_السنة السنة_كم انجليزية_تعلم gmail_password telegram_message سعر_الايفون reset_my_iphone my_iphone iphone_price fix_my_laptop fix_my_phone fix_my_computer وردة ورد_احمر ارسم رسم الوان نتفلكس netflix love_is is_love وصفات مقلوبة غني غنية rich wealthy مشهور famous what_day اي_يوم make_money money_online كود_خصم خصم السماء المسافة distance حساب_بنكي بنكي hamlet shakespeare article color colour summarize summarise egg eggs favourite favorite weight_loss born birthday_of died wikipedia capital_of a_story in_a_year معنى_اسم المدرسة unblock_someone_on مدرستي الجو بكرة مصباح شوكولاتة كيكة tallest mona_lisa يسافر السفر capital_city الطقس_اليوم درجة_الحرارة شاي قهوه عصير دجاج سلطة حلويات شوربة مستشفى لقاح حامل الحمل بشرة مكياج فستان عضلات تمارين سعرات رواية قصة_قصيرة مسرحية رسام لوحة_فنية موسيقى جيتار بيانو ميسي رونالدو ليفربول الاهلي دوري شطرنج لغز فزورة بنك قرض ضريبة تأمين تداول فوركس كهرباء محرك قطار مطار خريطة النيل الصحراء البحر حيوان حيوانات اسد حصان عصفور سمكة شجرة شمس نجوم مجرة الكون نيوتن اينشتاين احياء هندسة جبر اعراب الاعراب مرادف اكسل ويندوز طابعة راوتر بلايستيشن ببجي صديقة_جديدة الزواج اتزوج زواج طلاق تاريخ_ميلاد عيد_ميلاد student exam grades salary engineer hospital pharmacy vaccine covid pregnancy baby kids_names wedding dress fashion hair skin makeup gym workout muscle calories coffee tea rice chicken burger sushi beach ocean animal animals lion horse fish bird birds tree trees sun sky stars galaxy universe god religion church mosque quran bible king queen army messi ronaldo liverpool chess puzzle riddle guitar piano novel newspaper lyrics painting museum tax taxes loan mortgage insurance lottery interest_rate invest trading forex electricity engine bicycle bus airport map_of directions photosynthesis biology geometry calculus algebra haiku story_about fairy_tale synonyms grammar chinese spanish german japanese linux windows_11 excel powerpoint printer router playstation xbox fortnite minecraft pubg best_laptop best_phone best_restaurant احسن_لابتوب students فيزياء كيمياء learn اتعلم أتعلم train trains قهوة القهوة مهندس اسافر برغر ceo tesla bake bread draw shoes clothes richest girlfriend boyfriend player team_won اخبار_الدنيا الاخبار برج_خليفة لاعب اربح ربح_المال طقس الطقس حرارة مطر تمطر عاصمة رئيس_مصر رئيس الملك وصفة وصفة_كيك وصفة_كبسة طبخ الطبخ طبخة كيك كبسة مكرونة بيتزا مطعم مطاعم اكلة ماتش مباراة الأهلي الزمالك الهلال برشلونة كورة كأس_العالم ذهب الذهب دولار الدولار بيتكوين اسهم بورصة رمضان العيد صلاة الصلاة قران سورة شعر نكتة اغنية اغاني فيلم مسلسل فلم لعبة العاب رياضيات معادلة واجب واجبي ترجم ترجمة وزني رجيم دايت دواء علاج صداع مرض طيارة رحلة فندق سفر تأشيرة سيارة سيارات وظيفة وظائف جامعة امتحان تاريخ_الحرب سكان كوكب الارض القمر سياسة السياسة انتخابات ابراج حظي احلام الحلم قطتي قطة برمجة البرمجة بايثون لابتوبات الساعة_كم كم_الساعة الساعه طول_برج اشتري_جوال احسن_جوال افضل_جوال صيدلية راتب weather rain raining temperature forecast president prime_minister population recipe cook cooking pizza pasta restaurant restaurants cake football soccer match world_cup nba gold bitcoin crypto stock stocks exchange_rate prayer poem poetry joke jokes song songs sing sings movie movies film series game games math equation solve homework essay translate translation lose_weight diet medicine headache flight flights hotel travel visa car cars job jobs university war planet moon mars politics election horoscope zodiac dreams dream cat dog python javascript coding laptop_to_buy what_time time_is_it miles kilometers km everest invented invent mountain wear outfit physics chemistry history_of history music amazon uber wifi',
};

/** Other sites and products. */
export const OTHER_PRODUCTS =
  'gmail hotmail outlook google facebook fb instagram insta ig snapchat snap tiktok whatsapp twitter telegram youtube netflix discord reddit linkedin spotify steam amazon paypal apple icloud ' +
  'جيميل الجيميل هوتميل قوقل جوجل غوغل فيسبوك الفيسبوك فيس الفيس انستا الانستا انستقرام الانستقرام انستغرام انستجرام سناب السناب سنابشات تيك_توك التيك_توك تيكتوك واتس الواتس واتساب الواتساب تويتر اكس تلغرام تليجرام التلجرام يوتيوب اليوتيوب نتفلكس ديسكورد ابل';

/** What is said about another product, "*" where its name stands, and the concept that it means then. */
export const PRODUCT_FRAMES: Readonly<Record<string, string>> = {
  elsewhere:
    'friend_on_* friends_on_* block_someone_on_* someone_on_* log_in_to_* log_into_* login_to_* sign_in_to_* sign_into_* log_in_to_my_* log_into_my_* account_on_* my_account_on_* my_*_account a_*_account *_account my_*_password *_password my_*_profile *_profile *_messages message_on_* messages_on_* chat_on_* ' +
    'ستوري_في_* ستوري_ب_* ريلز_* رقمي_في_* رقمي_على_* اعمل_حساب_* اعمل_حساب_على_* اعمل_حساب_في_* افتح_حساب_* افتح_حساب_في_* افتح_حساب_على_* اسوي_حساب_* اسوي_حساب_في_* اعمل_اكونت_* اعمل_اكونت_على_* احذف_حساب_* صديق_في_* اصدقاء_في_* حساب_* حسابي_* حساب_على_* حسابي_على_* اكونت_على_* اكونت_* حساب_في_* حسابي_في_* حسابي_ب* كونط_* حق_* حقت_* بتاع_* ديال_* تبع_* تاع_* باسورد_* رمز_* كلمة_سر_* كلمة_السر_* كلمة_مرور_* يوزر_* صفحة_* رسالة_على_* رسالة_في_* محادثة_* مجموعة_*',
  social:
    'with_* with_my_* with_my_*_account with_a_*_account using_* using_my_* using_my_*_account use_my_*_account via_* through_* by_* my_*_account_to_sign my_*_account_to_log بحساب_* بحسابي_* بحساب_ال* عن_طريق_* بواسطة_* عبر_* من_خلال_*',
};

/** A question that has a word of only this concept is mostly about something else. */
export const ELSEWHERE = 'elsewhere';

/** Where a question speaks of one of these, an entry that does not is no answer. */
export const DECISIVE: readonly string[] = ['apps', 'danger', 'social', 'two_factor'];

/** What is said for politeness beside what is asked. */
export const COURTESIES: readonly string[] = ['hello', 'thanks', 'bye'];
