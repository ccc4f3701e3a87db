import type { Address } from 'viem'

/**
 * Factories of widely used smart accounts, at the same address on every chain. The service deploys a new smart account through its
 * factory, so that the account can redeem before its first transaction (ERC-6492).
 */
export const walletFactories: readonly Address[] = [
  // #region factories
  // Coinbase Smart Wallet 1 and 1.1: wevm/viem, toCoinbaseSmartAccount.ts; coinbase/smart-wallet, README.md
  '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a',
  '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
  // Safe 1.3.0 (two deployments), 1.4.1 and 1.5.0: safe-global/safe-deployments, src/assets/v*/*proxy_factory.json
  '0xa6B71E26C5e0845f74c812102Ca7114b6a896AB2',
  '0xC22834581EbC8527d974F8a1c97E1bEA4EF910BC',
  '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
  '0x14F2982D601c9458F93bd70B218933A6f8165e7b',
  // Kernel 2.2 to 2.4, the meta factory of 3.x, and the factories of 3.0 to 3.3: zerodevapp/sdk, packages/core/constants.ts
  '0x5de4839a76cf55d0c90e2061ef4386d962E15ae3',
  '0xd703aaE79538628d27099B8c4f621bE4CCd142d5',
  '0x6723b44Abeec4E71eBE3232BD5B455805baDD22f',
  '0xaac5D4240AF87249B3f71BC8E4A2cae074A3E419',
  '0x7a1dBAB750f12a90EB1B60D2Ae3aD17D4D81EfFe',
  '0x2577507b78c2008Ff367261CB6285d44ba5eF2E9',
  // Light Account 1.1.0 and 2.0.0, and 2.0.0 with several owners: alchemyplatform/aa-sdk, light-account/utils.ts
  '0x00004EC70002a32400f8ae005A26081065620D20',
  '0x0000000000400CdFef5E2714E63d8040b700BC24',
  '0x000000000019d2Ee9F2729A65AfE20bb0020AefC',
  // Modular Account 1 with several owners or signatures, 2, and 2 with a passkey: alchemyplatform/aa-sdk, msca/utils.ts, ma-v2/utils.ts
  '0x000000e92D78D90000007F0082006FDA09BD5f11',
  '0x000000000000204327E6669f00901a57CE15aE15',
  '0x00000000000017c61b5bEe81050EC8eFc9c6fecd',
  '0x9c607854b60fb6AFDB33daC5a1676AC06048bE5f',
  // #endregion
]
