/**
 * Lighthouse instructions from mainnet: data, account count and assertions. The comments name their transactions, which other projects read
 * with `getTransaction` and published with their tests. npm's lighthouse-sdk 2.1.0 decodes them identically.
 */
export const recordedAssertions: readonly [
  what: string,
  hex: string,
  accounts: number,
  name: string,
  asserts: string,
][] = [
  // Added by Phantom, from the transactions 2Fv91MyXnJqsud6WoqN9btHPU6b3SpjK9t4dbwEUknjatLhzQk4PNWDvgxh2ei1foG6PUmaAwtMFtzgxPNYzpAdQ
  // and 2QY6xTKEsQ7C16mtHA8injezmXGRAAZRbQk2BvncZSqwSCpD1eMdBpQvqQNyLv9fiDRKrfg2tZ3TEGkrwEr6PZqF (2026-09).
  [
    'a token account’s owner and mint',
    '0a04040300000600000000000000000501e1a9f7d96084158872de684a9ba9c5c6d2d95eedb766e4bab119db53f4d5bc2a0000c6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d6100',
    1,
    'assertTokenAccountMulti',
    'delegate none =, delegatedAmount 0 <=, owner GBu44HFJjq61WnS9UV1twcSrCC6SkuXHK8RM6tUKsWzV =, mint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v =',
  ],
  [
    'a system account',
    '06040203000001000000000000000000',
    1,
    'assertAccountInfoMulti',
    'program 0 =, length 0 =',
  ],
  ['an account to be created', '06040100000000000000000000', 1, 'assertAccountInfoMulti', 'lamports 0 ='],
  [
    'an account of a program',
    '06040102bad14677cb7e18cacfc2da6eb24e5dbd3cb2a1af95247a4a3f4a796f0d7d29f000',
    1,
    'assertAccountInfoMulti',
    'owner DaFv83yokwTz8msP9CzJ13eazSGk15NuUTxjkfzJzxMM =',
  ],
  [
    'the hash of a token account',
    '06040303010001a500000000000000000851a365d091db74537db9d33fe38737777e127d89ae79cdf45eeba2a8b780af4600a501',
    1,
    'assertAccountInfoMulti',
    'program 1 =, length 165 =, hash 6VgXvyK6FUKCeGna3ehCzbridMLaj7K1KwHBwxN93ZYH 0 165',
  ],
  [
    'the customer’s lamports',
    '06040300bba7da07000000000403000001000000000000000000',
    1,
    'assertAccountInfoMulti',
    'lamports 131770299 >=, program 0 =, length 0 =',
  ],
  [
    'the customer’s tokens',
    '0a040402a8ea410900000000040300000600000000000000000508',
    1,
    'assertTokenAccountMulti',
    'amount 155314856 >=, delegate none =, delegatedAmount 0 <=, ownerIsDerived',
  ],
  // The transaction 5BKju48s…wtS8, which `recordedMessages` contains.
  [
    'a token account without a delegate',
    '0a04030300000600000000000000000508',
    1,
    'assertTokenAccountMulti',
    'delegate none =, delegatedAmount 0 <=, ownerIsDerived',
  ],
  // From github.com/solana-foundation/explorer, LighthouseDetailsCard.test.tsx, which lists the transactions.
  ['the slot', '0f0000a6ee86120000000003', 0, 'assertSysvarClock', 'slot 310832806 <'],
  // The transaction 43PnzYerXr5b4LNf8A1j8kqztt8Voa7oiL9pzDTmWwSKCeLdZbLLJRd9A2XebiJvRP6kjNW6pF4mnGYnbSsRNXoU.
  ['one account’s lamports', '050400000000000000000000', 1, 'assertAccountInfo', 'lamports 0 ='],
  // The transaction 5ZtLCLaUGDVXyCZhKLiiNTFqasqUAwahpEeFNHM86amL2awLDByWkuWAdz6C7gdt1GRmfDbjUooh8ozL6a5LUyeZ.
  ['one account’s tokens', '09000266c669c50100000002', 1, 'assertTokenAccount', 'amount 7607010918 >'],
  // The transaction 66hhUzJEyouUj6Zge5kK8UQxKncTbmntXCPeHAL9pLEQQKeAAVKoyTwSRuF59EuMAhJcwgwEgyY6X3svHdSgHZzL.
  [
    'the difference between the lamports of two accounts',
    '0401000000001f0afaffffffffffffffffffffffff04',
    2,
    'assertAccountDelta',
    'info 0 lamports -100000000 >=',
  ],
  // The transaction 2PmrAtG26M6g8YiokmgbqrJYT4Rhe3kRN3AY3WCcu7NPuX4Jc4aiXoNb5aZuFK48vYhm8pDmwZhVZ9sP6KMAdsKw.
  [
    'the upgrade authority of a program',
    '0d0403000116514789b390b5556b555e8373c06fb501a43bcb713b64833f6d0129e74223e300',
    1,
    'assertUpgradeableLoaderAccount',
    'programData upgradeAuthority 2W7rVWpiRMzex7sGBnww6sozQp94xFBzCGYUzUKZw2X4 =',
  ],
  // The transaction 5WA6DR6vBbyk6wsyxfFAQcsyFLLFamPFKWwgYMSpWbFdUBCCP2WweVggGKtrnJmUa8yyZE5ykqeaQe97daxpPMKZ.
  [
    'the delegate of a tree',
    '11040102860993527ab93efd3a2c333114993606e6f683707db314d9d518ac3798262d00',
    1,
    'assertBubblegumTreeConfigAccount',
    'delegate ArMorTp7EVn3SVVo8SJ92BiJAKETEczng6fyN743W3e =',
  ],
  // 6LHBhFVLwuqiH93znCkyzMBZCkye5eHSBBeNZsz7m7M4SmJny9PQkiWtzdquEQvPfHVmn6bT6AeMa4pjNCVbefA: these two.
  [
    'lamports between two bounds',
    '0605030070016702000000000400640201040000000005030000',
    1,
    'assertAccountInfoMulti',
    'lamports 40305008 >=, lamports 67175012 <=, program 0 =',
  ],
  [
    'the authorities of a stake',
    '0c05030102d84c4abd2f20e3db087a883a42ae8842757353baf82c99376c9a088beb2fbd8b000101d84c4abd2f20e3db087a883a42ae8842757353baf82c99376c9a088beb2fbd8b000201c09121000000000004',
    1,
    'assertStakeAccountMulti',
    'meta withdrawer FZLY576gVwyD6rEosP72pRUC9TAe7LhgvoSepk3F63PY =, meta staker FZLY576gVwyD6rEosP72pRUC9TAe7LhgvoSepk3F63PY =, stake stake 2200000 >=',
  ],
  [
    'tokens between two bounds',
    '0a05060802cc508085060000000402a88680de0a000000050300000600000000000000000001ee01408ff5094d0050fbfc1b446ef469f9cf59099cc9f79a4bbbdd0deec326f600',
    1,
    'assertTokenAccountMulti',
    'ownerIsDerived, amount 28009582796 >=, amount 46682637992 <=, delegate none =, delegatedAmount 0 =, owner H2596LHcqWoaX3MAtTCZdtJixdL8K6ZLHLkQ8QmU2rVb =',
  ],
]

/**
 * Messages that Phantom signed on mainnet: the requested instructions with assertions around them. Each is complete and
 * has the fee payer's signature, which proves every byte.
 */
export const recordedMessages = {
  /** Creates a token account and transfers a Token-2022 token to it. Two assertions follow. Slot 453357665. */
  transfer: {
    signature: '5BKju48sSPui7JWuR1oCNf7WmRmcPESRs3AsF38MggNESyqjGYBeszKjV38fC37q5oEeGxvoRxQKAuNHRyYwwtS8',
    message:
      'AQAKDUzL1AM6knEks5ol+j/hDD+Jao+AAxBrj5f7K/FKY/LSEa6Jw2lRW5CilX19pvjagTUXEV3dUXoNSXJB0+90V+UXVr6loqIM87/14JiNdhwRUEhFLH67HNvFGcMKInGV0wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwZGb+UhFzL/7K26csOb57yM5bvF9xJrLEObOkAAAAAE3615Yv+x3ZJdCp+15tAM5hlbqLs6kf0H75hgxel7uAbd9uHudY/eGEJdvORszdq2GvxNg7kNJ/69+SjYoYv8IyYoOazXpmKghdtORYsaGTmcMlL8/BwFQReZEh7FXVojUufhLR4sFqEciyQUTeaaw1YIF3vTiqut5Y9xv+7k0WSiqdVNS/jO7C+fPKADtGznKBw9ePgDiTjNuDaNwcHjZafcLQO2mLuL6EquLpIZiwhuKbWNFYH0Wm+RbJRF8T+MlyWPTiSJ8bs9ECkUjg2DC1oTmdr/EIQEjnvY2+n4WeF9yO2P8M94uBa93PxT+AVLnClxsVsAo3lbhqBRFTDooQV6KQkz47RFX+zciKPbNBImE+UyAxgygaNOjGsILmkGBAAFAkANAwAEAAkDoIYBAAAAAAALBgACBwoDBgEBBgcBCgIACAkMCgz0AQAAAAAAAAAFAQAaBgQDAJWrB34AAAAABAMAAAEAAAAAAAAAAAAFAQERCgQDAwAABgAAAAAAAAAABQg=',
  },
  /**
   * Creates a token account, then calls another program twice. Has four assertions before and two after; only four of the six are
   * accepted.
   */
  mint: {
    signature: '2sHzKLUsMawtWa7pm7Yx4LmsJ5ypiqEL2fXaudzk4r1SyibAhPziaAYZrrNFBiZbAHTRALDRQhQVkKVj3WEDJ5WQ',
    message:
      'AQAJDkzL1AM6knEks5ol+j/hDD+Jao+AAxBrj5f7K/FKY/LSEa6Jw2lRW5CilX19pvjagTUXEV3dUXoNSXJB0+90V+Vlp9wtA7aYu4voSq4ukhmLCG4ptY0VgfRab5FslEXxP8IOclMx6zHBInQlWMprbM2j/wWO5BqxudA3LZhAJLAD1IRjWBPnko4Qz58ccOBBT2cRvng7fjqu5qRxh8fq0h4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMGRm/lIRcy/+ytunLDm+e8jOW7xfcSayxDmzpAAAAABN+teWL/sd2SXQqftebQDOYZW6i7OpH9B++YYMXpe7gG3fbh7nWP3hhCXbzkbM3athr8TYO5DSf+vfko2KGL/IyXJY9OJInxuz0QKRSODYMLWhOZ2v8QhASOe9jb6fhZlZPjCGaeM9vsUm6f62DA+CsOrBidR5hClCIcCrNVDorSiX2gkRWQ2nhipD3Rev8M77b01T/ezv0Bazy1utWjPdSXB8eRpAFh+zHlK1XwCwJ63c1ZwnfEwf6nYC3joFrL/IVZtU5+90c4i4nZ37VzlPfHSPsaLx78LO2UfaOam28eT3HK1acYzfnkyA5qjab2XfwccVkqxxx5js7Gp41AKAsGAAUCQA0DAAYACQOghgEAAAAAAAcBAQ0GBAEAAAAAAAAAAAAABwECNAYEAwMCAAHmAQAAAAAAAAAIRQ54kSLAgj2b+ha2ss7mHT5L7azshnuPUIdpA2oyVYgA5gMHAQQlBgQBAtSXB8eRpAFh+zHlK1XwCwJ63c1ZwnfEwf6nYC3joFrLAAcBAyUGBAEC1JcHx5GkAWH7MeUrVfALAnrdzVnCd8TB/qdgLeOgWssACQYAAQACBQgBAQwJAAsKDQMCAQgEEAshLBMookwC9AEAAAAAAAAMAwALBArNp1XtkMr4rwIABwEAGgYEAwDliR9+AAAAAAQDAAABAAAAAAAAAAAABwEBGwoEBALCAQAAAAAAAAQDAAAGAAAAAAAAAAAFCA==',
  },
} as const
