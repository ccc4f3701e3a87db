import { randomUUID } from 'node:crypto'
import { and, eq, gt, inArray } from 'drizzle-orm'
import { keyedLock } from '../../process/keyedLock.ts'
import type { TransferBlockchain } from '../../store/states.ts'
import { usdcTransfers } from '../../store/tables/index.ts'
import { checkCredentials, walletHeaders } from '../http/customer.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { isStorableText } from '../http/storableText.ts'
import type { Service } from '../service.ts'
import { paidCreations } from './paidCreations.ts'
import { usdcTransferBody } from './transferBodies.ts'
import type { TransferChain } from './transferChain.ts'
import { transferProblem } from './transferProblem.ts'
import { paidBefore, servedChain } from './transferRows.ts'

/**
 * `POST /sandbox/usdc-transfer`: builds a USDC transfer on Solana or Stellar that the customer signs and the service pays
 * the fees of. Moves nothing.
 */
export const prepareTransfer: Route = {
  method: 'POST',
  path: '/sandbox/usdc-transfer',
  handle: async (service, context) => {
    const body = await readBody(context, usdcTransferBody)
    const { blockchain, wallet } = await walletHeaders(service, context)
    if (body.blockchain !== blockchain)
      throw problem(
        'INVALID_REQUEST',
        `The body says ${body.blockchain}, header ${service.headers.blockchain} says ${blockchain}.`,
        { issues: ['blockchain', service.headers.blockchain] },
      )
    const chain = await servedChain(service, body.blockchain)
    const { paymentId, call, destination } = body
    if (body.amount.cents === 0)
      throw problem('INVALID_REQUEST', 'A transfer of nothing is not possible.', { issues: ['amount.cents'] })
    if (paymentId !== undefined && !isStorableText(paymentId))
      throw problem('INVALID_REQUEST', 'The payment id is not well-formed text.', { issues: ['paymentId'] })
    if (call !== undefined && body.blockchain !== 'stellar')
      throw problem('INVALID_REQUEST', 'Only on Stellar a merchant contract can be called.', {
        issues: ['call'],
      })
    const asked = { wallet, destination, cents: body.amount.cents, paymentId, call }
    const explained = (error: unknown) =>
      transferProblem(error, {
        to: 'destination',
        from: service.headers.wallet,
        amount: 'amount.cents',
        memo: 'paymentId',
        contract: 'call.contract',
      })
    try {
      chain.checkRequest(asked)
    } catch (error) {
      throw explained(error)
    }
    await checkCredentials(service, context)
    await paidBefore(service, { blockchain: body.blockchain, wallet, paymentId })
    return oneAtATime(body.blockchain, async () => {
      const sponsor = await freeSponsor(service, chain, body.blockchain)
      const paid = () => paidCreations(service, asked)
      const prepared = await chain
        .prepare({ ...asked, sponsor, paidCreations: paid })
        .catch((error: unknown) => {
          throw explained(error)
        })
      const id = randomUUID()
      const database = await service.database()
      await database.insert(usdcTransfers).values({
        id,
        blockchain: body.blockchain,
        wallet,
        destination,
        amount: prepared.amount,
        paymentId: paymentId ?? null,
        sponsor,
        prepared: prepared.facts,
        paysRent: prepared.paysRent ?? false,
        status: 'prepared',
        expiresAt: prepared.expiresAt,
        createdAt: new Date(service.now()),
      })
      return { id, blockchain: body.blockchain, sponsor, ...prepared.answer }
    })
  },
}

/** Two that are built at the same moment would take the same sponsor. */
const oneAtATime = keyedLock()

/** A sponsor with no transfer under way; when all have some, the one whose is the oldest. */
async function freeSponsor(
  service: Service,
  chain: TransferChain,
  blockchain: TransferBlockchain,
): Promise<string> {
  const database = await service.database()
  const rows = await database
    .select({ sponsor: usdcTransfers.sponsor, createdAt: usdcTransfers.createdAt })
    .from(usdcTransfers)
    .where(
      and(
        eq(usdcTransfers.blockchain, blockchain),
        inArray(usdcTransfers.status, ['prepared', 'journalled']),
        gt(usdcTransfers.expiresAt, new Date(service.now())),
      ),
    )
  const newest = new Map<string, number>()
  for (const { sponsor, createdAt } of rows)
    newest.set(sponsor, Math.max(newest.get(sponsor) ?? 0, createdAt.getTime()))
  const [first] = [...chain.sponsors].sort((a, b) => (newest.get(a) ?? 0) - (newest.get(b) ?? 0))
  if (first === undefined) throw problem('UNAVAILABLE', `Transfers on ${blockchain} have no sponsor here.`)
  return first
}
