import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { beforeAllInBrowser } from '../beforeAllInBrowser.ts'
import { expectPaidOnce } from './expectPaid.ts'
import type { Visitor, VisitorOptions } from './newVisitor.ts'
import { type OpenShop, openShop } from './openShop.ts'
import { bill, press, seesReceipt, split } from './shopPage.ts'
import { smartAccounts } from './smartAccounts.ts'

/** What a wallet is asked to sign. */
export const permit = 'CreditsAuthorization'
export const usdc = 'ReceiveWithAuthorization'

/** A shop for the tests of a file, and what stands before a bill in it. */
export type AtBill = {
  stage: OpenShop
  /** The one of this test. */
  visitor: Visitor
  /** Opens a bill of $4.50 for a visitor whose wallet has let the shop in. */
  bill: (options?: VisitorOptions) => Promise<Page>
}

/** Opens the shop before the tests of a file, and mends it between them. A page may throw in none of them. */
export function atBill(): AtBill {
  const at = {
    bill: async (options: VisitorOptions = {}) => {
      at.visitor = await at.stage.newVisitor({ isConnected: true, ...options })
      return at.visitor.openTab(bill.hash)
    },
  } as AtBill // the rest follows before each test
  beforeAllInBrowser(async () => {
    at.stage = await openShop()
  })
  afterAll(() => at.stage?.stop())
  beforeEach(() => at.stage.mend())
  afterEach(async () => {
    const { pageErrors, context } = at.visitor
    await context.close()
    expect(pageErrors).toEqual([])
  })
  return at
}

/** Pays a bill in two assets from a contract's account. */
export async function paysFromSmartAccount(at: AtBill, kind: keyof ReturnType<typeof smartAccounts>) {
  const page = await at.bill({ smartAccount: smartAccounts(at.stage.shop)[kind] })
  await split(page, '2')
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('sendGaslessTx')) sent.push(request.postDataJSON())
  })
  await press(page, bill.pay)
  await seesReceipt(page)
  expect(at.visitor.wallet.prompts).toEqual([permit, usdc])
  // V1 splits the signature of a key, which a contract's is not.
  expect(JSON.stringify(sent)).toMatch(/customerUsdcAuthDataV2/)
  await expectPaidOnce(at.visitor, { cents: bill.cents, usdcCents: 200 })
}
