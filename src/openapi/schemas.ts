import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { Account } from '../resources/account/shape.ts'
import { Comment } from '../resources/comments/shape.ts'
import { Discussion } from '../resources/discussions/shape.ts'
import { File } from '../resources/files/shape.ts'
import { Folder } from '../resources/folders/shape.ts'
import { TaskList } from '../resources/lists/shape.ts'
import { Member } from '../resources/members/shape.ts'
import { Project } from '../resources/projects/shape.ts'
import { SearchResult } from '../resources/search/shape.ts'
import { Task } from '../resources/tasks/shape.ts'

export type JsonSchema = Record<string, unknown>

/** The shapes that the document names once and refers to. */
const named: Record<string, GenericSchema> = {
  Account,
  Comment,
  Discussion,
  File,
  Folder,
  Member,
  Project,
  SearchResult,
  Task,
  TaskList,
}

const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  // Checks that JSON Schema cannot say are said beside them, by documented() in domain/fields.ts.
  errorMode: 'ignore',
  definitions: named,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
}

export function namedSchemas(): Record<string, JsonSchema> {
  return toJsonSchemaDefs(named, config) as Record<string, JsonSchema>
}

export function schemaOf(schema: GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...json } = toJsonSchema(schema, config) as JsonSchema
  return json
}
