import { type Command, Option } from 'commander'
import type { FoundSandbox } from '../connection/findSandbox.ts'

/** Whose credits are spent; `merchantOf` reads them. */
export function merchantOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--merchant-id <id>', "the merchant (default: the sandbox's, else sandbox-shop)").env(
        'REDEEMKIT_MERCHANT_ID',
      ),
    )
    .addOption(
      new Option(
        '--credit-seed <seed>',
        "name of the merchant's credit balance (default: the sandbox's, else the merchant id)",
      ).env('REDEEMKIT_CREDIT_SEED'),
    )
}

export type MerchantOptions = { merchantId?: string; creditSeed?: string }

/** The merchant that was named, else the one that the sandbox is known to have. */
export function merchantOf(
  { merchantId, creditSeed }: MerchantOptions,
  found: Pick<FoundSandbox, 'merchantId' | 'creditSeed'>,
): { merchantId: string; creditSeed: string } {
  const id = merchantId ?? found.merchantId ?? 'sandbox-shop'
  const isFound = id === found.merchantId
  return { merchantId: id, creditSeed: creditSeed ?? (isFound ? found.creditSeed : undefined) ?? id }
}
