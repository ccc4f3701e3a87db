import * as z from 'zod/mini'
import { dateTimeText } from '../../../redeemkit/schema/dates.ts'
import { oneOf } from '../../../redeemkit/schema/oneOf.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { affordancesOf } from './affordancesOf.ts'
import { chainTimes } from './chainTimes.ts'
import { maxAdvanceSeconds, moveClock } from './moveClock.ts'

const seconds = `expected a whole number from 0 to ${maxAdvanceSeconds}`

const clockBody = oneOf(
  [
    z.strictObject({ now: dateTimeText }),
    z.strictObject({
      advanceSeconds: z.int(seconds).check(z.minimum(0, seconds), z.maximum(maxAdvanceSeconds, seconds)),
    }),
  ],
  { pick: ({ now }) => (now === undefined ? 1 : 0) },
)

/** `GET /sandbox/clock`: what time it is, here and on the chains (PROTOCOL.md 2.10). */
export const clock: Route = {
  method: 'GET',
  path: '/sandbox/clock',
  handle: (service) => answer(service),
}

/** `POST /sandbox/clock`: puts the service's clock and the chains' forward. It never goes back: a chain cannot. */
export const clockMove: Route = {
  method: 'POST',
  path: '/sandbox/clock',
  handle: async (service, context) => {
    const body = await readBody(context, clockBody)
    const { clock: movable } = affordancesOf(service)
    await moveClock(service, {
      clock: movable,
      millisecondsFrom: (now) => {
        const milliseconds = 'now' in body ? Date.parse(body.now) - now : body.advanceSeconds * 1000
        if (milliseconds < 0)
          throw problem('INVALID_REQUEST', `It is ${isoTime(now)} already: time does not run back.`, {
            issues: ['now'],
          })
        if (milliseconds > maxAdvanceSeconds * 1000)
          throw problem('INVALID_REQUEST', 'That is more than a hundred years ahead.', { issues: ['now'] })
        return milliseconds
      },
    })
    return answer(service)
  },
}

async function answer(service: Service) {
  const { clock: movable } = affordancesOf(service)
  const chains = await chainTimes(service)
  return {
    now: isoTime(movable()),
    movedSeconds: Math.round(movable.offsetMs() / 1000),
    chains: chains.map(({ chainId, seconds }) => ({ chainId, now: isoTime(Number(seconds) * 1000) })),
  }
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
