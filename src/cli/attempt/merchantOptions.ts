import { type Command, Option } from 'commander'

/** Whose credits are spent. */
export function merchantOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--merchant-id <id>', 'the merchant').env('REDEEMKIT_MERCHANT_ID').default('sandbox-shop'),
    )
    .addOption(
      new Option(
        '--credit-seed <seed>',
        "name of the merchant's credit balance (default: the merchant id)",
      ).env('REDEEMKIT_CREDIT_SEED'),
    )
}

export type MerchantOptions = { merchantId: string; creditSeed?: string }
