import { createDashboard, type Dashboard } from '../pages/dashboard/createDashboard.tsx'
import type { People } from '../runningSandbox.ts'
import { ownRequest } from '../service/http/checkCaller.ts'
import type { Sandbox } from './sandbox.ts'

/** The dashboard does what `/sandbox` does, and is there where that is. */
export function dashboardOf(
  {
    sandboxControls,
    headerPrefix,
  }: { sandboxControls?: boolean | undefined; headerPrefix?: string | undefined },
  parts: {
    merchants: readonly { merchantId: string; apiKey: string }[]
    people: People
    sandbox: Pick<Sandbox, 'app'>
  },
): Dashboard | undefined {
  const { merchants, people, sandbox } = parts
  if (sandboxControls === false) return undefined
  return createDashboard({
    service: (request) => sandbox.app.fetch(request, ownRequest),
    merchants,
    people: Object.fromEntries(Object.values(people).map(({ name, address }) => [name, address])),
    headerPrefix,
  })
}
