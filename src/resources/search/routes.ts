import { nameKinds } from '../../domain/name-terms.ts'
import { clamped, searchText, someOf } from '../../http/query.ts'
import { ok } from '../../http/reply.ts'
import { route, single } from '../context.ts'
import { Search, searchExample, shapeSearch } from './shape.ts'

export const searchRoutes = [
  route({
    name: 'search',
    tag: 'Search',
    summary: 'Find records by their names',
    description:
      'Every word of `q` must be the beginning of a word of the name. Spellings that people write for one another are the same: احمد finds أحمد, مدرسه finds المدرسة, cafe finds Café. Names that are what was searched for come first, then those that begin so, then the others, the newer first among equals. What is deleted is not found; what is in an archived project is.',
    method: 'GET',
    paths: ['/search'],
    operation: 'account:read',
    query: {
      q: searchText(
        'What to search for; a blank one finds nothing. All of it is text, none is syntax.',
      ),
      types: someOf(
        'The kinds to search, all of them without it: repeated, as `types[]`, or with commas between them. Unknown ones are ignored.',
        nameKinds,
      ),
      per_type: clamped(
        'How many of each kind to answer; below 1 counts as 1, above 25 as 25.',
        5,
        1,
        25,
      ),
    },
    reply: single(
      Search,
      'The hits, by kind and the best of each first; `truncated` names the kinds of which there are more',
      searchExample,
    ),
    handle({ caller, query: { q, types, per_type } }, { search }) {
      // contract: Values. No name has a NUL in it.
      const kinds = q.includes('\0') ? [] : (types ?? nameKinds)
      return ok(shapeSearch(q, search.find(caller.company.id, q, kinds, per_type)))
    },
  }),
]
