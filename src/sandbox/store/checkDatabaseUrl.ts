import { InvalidSandboxOptionsError } from '../errors.ts'

/**
 * Takes the address of a PostgreSQL server.
 *
 * @returns where it is, without user and password: what a message may show
 * @throws {@link InvalidSandboxOptionsError} for text that is no such address
 */
export function checkDatabaseUrl(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined
  // A password may have been meant, so the text is not shown.
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new InvalidSandboxOptionsError('databaseUrl is not the address of a PostgreSQL server.', {
      field: 'databaseUrl',
      fix: 'Give postgresql://user:password@host:5432/database, with special characters of the password percent-encoded.',
    })
  const host = url.hostname || url.searchParams.get('host') || 'localhost'
  return `${host}:${url.port || '5432'}${url.pathname}`
}

export declare namespace checkDatabaseUrl {
  type ErrorType = InvalidSandboxOptionsError
}
