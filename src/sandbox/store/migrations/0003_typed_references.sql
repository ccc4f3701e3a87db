ALTER TABLE "transactions" ALTER COLUMN "reference" SET DATA TYPE jsonb USING CASE split_part("reference", '/', 1)
	WHEN 'redeem' THEN jsonb_build_object('kind', 'redeem', 'blockchain', split_part("reference", '/', 2), 'wallet', split_part("reference", '/', 3), 'nonce', split_part("reference", '/', 4), 'attempt', split_part("reference", '/', 5)::integer)
	WHEN 'bridge' THEN jsonb_build_object('kind', 'bridge', 'sourceChainId', split_part("reference", '/', 2)::bigint, 'messageId', split_part("reference", '/', 3), 'attempt', split_part("reference", '/', 4)::integer)
	WHEN 'mint' THEN jsonb_build_object('kind', 'mint', 'jobId', split_part("reference", '/', 2), 'attempt', split_part("reference", '/', 3)::integer)
	WHEN 'deploy' THEN jsonb_build_object('kind', 'deploy', 'blockchain', split_part("reference", '/', 2), 'wallet', split_part("reference", '/', 3), 'attempt', split_part("reference", '/', 4)::integer)
	WHEN 'whitelist' THEN jsonb_build_object('kind', 'whitelist', 'id', split_part("reference", '/', 2))
	WHEN 'gone' THEN jsonb_build_object('kind', 'gone', 'id', split_part("reference", '/', 2)::integer, 'was', regexp_replace("reference", '^gone/[0-9]+/', ''))
	-- Text that no version wrote: the cast fails and names it, and the database stays as it is.
	ELSE "reference"::jsonb
END;--> statement-breakpoint
ALTER TABLE "usdc_transfers" ADD COLUMN "pays_rent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "usdc_transfers" SET "pays_rent" = true WHERE "blockchain" = 'solana' AND "prepared" NOT LIKE '%"rent":{"lamports":"0"}%';
