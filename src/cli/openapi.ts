import { openApiDocument } from '../openapi/document.ts'
import { command } from './command.ts'

export const openapiCommands = [
  command({
    words: ['openapi'],
    summary: 'Print the OpenAPI 3.1 document of the API',
    flags: {},
    run: () => {
      const document = openApiDocument()
      return { json: document, text: JSON.stringify(document, null, 2) }
    },
  }),
]
