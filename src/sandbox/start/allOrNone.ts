/** All of them, or, when one fails, its error, once every one has ended: those that did start can be closed by then. */
export async function allOrNone<value>(promises: readonly Promise<value>[]): Promise<value[]> {
  const results = await Promise.allSettled(promises)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
