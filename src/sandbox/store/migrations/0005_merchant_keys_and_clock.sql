CREATE TABLE "api_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"key_hash" text NOT NULL,
	"merchant_id" text NOT NULL,
	"scope" text,
	"ips" jsonb NOT NULL,
	"disabled" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_clock" (
	"name" text PRIMARY KEY NOT NULL,
	"offset_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "merchants" DROP CONSTRAINT "merchants_api_key_hash_unique";--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "jwt_secret" text DEFAULT replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "enforce_checkout_jwt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" DROP COLUMN "api_key_hash";