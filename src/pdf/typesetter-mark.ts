/** In the environment of a process that is to set PDFs and nothing else. */
export const TYPESETTER_MARK = 'MAJLIS_TYPESETTER'
