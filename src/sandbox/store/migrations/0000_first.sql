CREATE TABLE "auth_challenges" (
	"nonce" text PRIMARY KEY NOT NULL,
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"message" text NOT NULL,
	"transaction" text,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"credential_hash" text
);
--> statement-breakpoint
CREATE TABLE "bridge_messages" (
	"source_chain_id" integer NOT NULL,
	"message_id" text NOT NULL,
	"wallet" text NOT NULL,
	"nonce" text NOT NULL,
	"destination_chain_id" integer NOT NULL,
	"delivery" text NOT NULL,
	"status" text NOT NULL,
	"hash" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bridge_messages_source_chain_id_message_id_pk" PRIMARY KEY("source_chain_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "deployments" (
	"blockchain" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"credits_contract" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "intents" (
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"nonce" text NOT NULL,
	"merchant_id" text NOT NULL,
	"salt" text NOT NULL,
	"settlement_hash" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"usdc_amount" numeric(78,0) NOT NULL,
	"gas_needed" numeric(78,0),
	"block_number" numeric(78,0) NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "intents_blockchain_wallet_nonce_pk" PRIMARY KEY("blockchain","wallet","nonce")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"job_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"type" text NOT NULL,
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"idempotency_key" text,
	"status" text NOT NULL,
	"value" text,
	"error" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "jobs_idempotency" UNIQUE("merchant_id","type","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "lanes" (
	"chain_id" integer NOT NULL,
	"sender" text NOT NULL,
	"next_nonce" integer NOT NULL,
	CONSTRAINT "lanes_chain_id_sender_pk" PRIMARY KEY("chain_id","sender")
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"merchant_id" text PRIMARY KEY NOT NULL,
	"credit_seed" text NOT NULL,
	"api_key_hash" text NOT NULL,
	CONSTRAINT "merchants_credit_seed_unique" UNIQUE("credit_seed"),
	CONSTRAINT "merchants_api_key_hash_unique" UNIQUE("api_key_hash")
);
--> statement-breakpoint
CREATE TABLE "programs" (
	"merchant_id" text NOT NULL,
	"blockchain" text NOT NULL,
	"program_id" text NOT NULL,
	"selector" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "programs_merchant_id_blockchain_program_id_selector_pk" PRIMARY KEY("merchant_id","blockchain","program_id","selector")
);
--> statement-breakpoint
CREATE TABLE "redeems" (
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"nonce" text NOT NULL,
	"merchant_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"usdc_amount" numeric(78,0) NOT NULL,
	"gas_fee" numeric(78,0) NOT NULL,
	"status" text NOT NULL,
	"attempt" integer NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "redeems_blockchain_wallet_nonce_pk" PRIMARY KEY("blockchain","wallet","nonce")
);
--> statement-breakpoint
CREATE TABLE "session_keys" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text,
	"wallet" text,
	"blockchain" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" serial PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"chain_id" integer NOT NULL,
	"sender" text NOT NULL,
	"nonce" integer NOT NULL,
	"hash" text NOT NULL,
	"raw" text NOT NULL,
	"status" text NOT NULL,
	"block_number" integer,
	"gas_used" numeric(78,0),
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "transactions_reference_unique" UNIQUE("reference")
);
--> statement-breakpoint
CREATE INDEX "auth_challenges_by_wallet" ON "auth_challenges" USING btree ("blockchain","wallet","issued_at");--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_one_per_nonce" ON "transactions" USING btree ("chain_id","sender","nonce") WHERE status <> 'dropped';--> statement-breakpoint
CREATE INDEX "transactions_unfinished" ON "transactions" USING btree ("status");