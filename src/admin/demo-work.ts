import type { Priority } from '../domain/task-list.ts'
import { type DemoEntry, redesignFiles, shopFiles, summitFiles } from './demo-files.ts'
import type { DemoPerson } from './demo-people.ts'

interface DemoTask {
  title: string
  notes?: string
  due?: string
  assignee?: DemoPerson
  isDone?: boolean
  minutes?: number
  comments?: readonly (readonly [by: DemoPerson, html: string])[]
}

export interface DemoList {
  title: string
  notes?: string
  priority?: Priority
  tasks: readonly DemoTask[]
  comments?: readonly (readonly [by: DemoPerson, html: string])[]
}

interface DemoDiscussion {
  title: string
  body: string
  by: DemoPerson
  category?: string
  replies: readonly (readonly [by: DemoPerson, html: string])[]
}

export interface DemoProject {
  name: string
  description: string
  is_public: boolean
  start_date: string | null
  end_date: string | null
  lists: readonly DemoList[]
  discussions: readonly DemoDiscussion[]
  files: readonly DemoEntry[]
}

export const demoProjects: readonly DemoProject[] = [
  {
    name: 'إطلاق المتجر الإلكتروني',
    description: 'كل ما يلزم قبل افتتاح المتجر: التصميم والدفع والشحن.',
    is_public: true,
    start_date: '2026-01-04',
    end_date: '2026-06-30',
    lists: [
      {
        title: 'قبل الافتتاح',
        notes: 'ما يجب أن يتم قبل اليوم الأول:\n- الدفع\n- الشحن\n- صور المنتجات',
        priority: 'urgent',
        tasks: [
          {
            title: 'ربط بوابة الدفع',
            notes: 'مدى وVisa وApple Pay؛ جرّب عملية بقيمة ١ ر.س ثم استرجعها.',
            due: '2026-02-15',
            assignee: 'ahmad',
            isDone: true,
            minutes: 390,
            comments: [
              [
                'ahmad',
                '<p>تمت التجربة على الحساب التجريبي، وهذا الإيصال:</p><action-text-attachment filename="إيصال-الدفع.pdf"></action-text-attachment>',
              ],
              ['noura', '<p>ممتاز 👏 بقي اعتماد البنك.</p>'],
            ],
          },
          {
            title: 'الاتفاق مع شركة الشحن',
            due: '2026-03-01',
            assignee: 'noura',
            comments: [
              [
                'sara',
                '<p>عرض الأسعار وصل: <a href="https://shipping.example/offer">تفاصيل العرض</a></p>',
              ],
            ],
          },
          { title: 'تصوير المنتجات', assignee: 'sara', isDone: true, minutes: 720 },
          { title: 'مراجعة سياسة الإرجاع', due: '2026-03-10' },
        ],
        comments: [['noura', '<p>الموعد النهائي لهذه القائمة <strong>١٥ مارس</strong>.</p>']],
      },
      {
        title: 'بعد الافتتاح',
        priority: 'medium',
        tasks: [
          { title: 'حملة إعلانية على إنستغرام', assignee: 'sara' },
          { title: 'قياس سرعة الموقع', notes: 'الهدف: أقل من ثانيتين على الجوال.' },
        ],
      },
    ],
    discussions: [
      {
        title: 'أي يوم نفتتح المتجر؟',
        body: 'السبت أم الأحد؟ أقترح الأحد لأن فريق الشحن يعمل فيه كاملًا.',
        by: 'noura',
        category: 'قرارات',
        replies: [
          ['ahmad', '<p>الأحد أفضل للدعم الفني.</p>'],
          ['james', '<p>Sunday works for me too.</p>'],
        ],
      },
      {
        title: 'سياسة الإرجاع: أسبوعان أم شهر؟',
        body: 'شهر كامل يطمئن العميل، لكن أسبوعين أسهل على المستودع.',
        by: 'sara',
        category: 'قرارات',
        replies: [['noura', '<p>أسبوعان، وشهر لما فيه عيب مصنعي.</p>']],
      },
    ],
    files: shopFiles,
  },
  {
    name: 'Website redesign',
    description: 'A faster site that reads well from right to left and from left to right.',
    is_public: false,
    start_date: '2026-02-01',
    end_date: null,
    lists: [
      {
        title: 'Design',
        notes: 'Every page in both directions.',
        priority: 'high',
        tasks: [
          {
            title: 'Home page in Arabic and English',
            due: '2026-02-20',
            assignee: 'noura',
            isDone: true,
            minutes: 480,
            comments: [['noura', '<p>Mirrored the icons that point; kept the logo as it is.</p>']],
          },
          {
            title: 'اختيار خط عربي مقروء',
            notes: 'قارن بين Noto Naskh وAmiri في الأحجام الصغيرة.',
          },
        ],
      },
      {
        title: 'Launch checklist',
        tasks: [
          { title: 'Redirect the old addresses', due: '2026-04-01' },
          { title: 'Turn on the cache', due: '2026-04-02' },
          { title: 'Tell the newsletter' },
        ],
      },
    ],
    discussions: [
      {
        title: 'Do we keep the blog?',
        body: 'It brings a third of the visitors, but nobody has written since summer.',
        by: 'noura',
        replies: [],
      },
    ],
    files: redesignFiles,
  },
  {
    name: 'مؤتمر الرياض Riyadh Summit',
    description: 'تنظيم المؤتمر السنوي / Everything for the yearly summit.',
    is_public: true,
    start_date: null,
    end_date: null,
    lists: [
      {
        title: 'المتحدثون Speakers',
        priority: 'low',
        tasks: [
          { title: 'دعوة أحمد الغامدي', assignee: 'james', isDone: true },
          { title: 'Book flights for the keynote', assignee: 'james', due: '2026-05-01' },
        ],
        comments: [['james', '<p>Three of five have confirmed.</p>']],
      },
    ],
    discussions: [
      {
        title: 'Venue: الفندق أم المركز؟',
        body: 'The hotel is nearer to the metro; المركز أوسع وأقل تكلفة.',
        by: 'james',
        category: 'Venue',
        replies: [['sara', '<p>المركز، إن بقيت القاعة الكبرى متاحة.</p>']],
      },
    ],
    files: summitFiles,
  },
]
