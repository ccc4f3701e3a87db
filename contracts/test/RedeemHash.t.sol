// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {RedeemHash} from "../src/RedeemHash.sol";
import {CreditsFixture} from "./CreditsFixture.sol";

contract RedeemHashTest is CreditsFixture {
    bytes32 private constant CANCEL_TYPEHASH = 0x33377eeb5050a2e5ca24a3be81ca8a4928ccb7d331a7a1bc39985d3599e08ed0;

    string private _vectors;

    function setUp() public override {
        super.setUp();
        _vectors = vm.readFile("test/vectors/redeem-intent.json");
    }

    function test_typehashes() public view {
        vm.assertEq(
            RedeemHash.CREDITS_AUTHORIZATION_TYPEHASH,
            0xc640b1397c8862ba581fdfb469fb434e0f862503d0e813de9bfb88abe49982ea
        );
        vm.assertEq(
            RedeemHash.REDEEM_INTENT_TYPEHASH, 0xed78a96cd398eacd3f6e42e2bbee8bd1cfb18c758141b12c47817360b1df4259
        );
        vm.assertEq(RedeemHash.REDEEM_INTENT_TYPEHASH, vm.parseJsonBytes32(_vectors, ".intentTypehash"));
        vm.assertEq(
            RedeemHash.REDEEM_INTENT_TYPEHASH, keccak256(bytes(vm.parseJsonString(_vectors, ".intentTypestring")))
        );
        vm.assertEq(
            RedeemHash.CREDITS_AUTHORIZATION_TYPEHASH,
            vm.parseJsonBytes32(vm.readFile("test/vectors/credit-permit.json"), ".typehash")
        );
        vm.assertEq(
            RedeemHash.TRANSFER_WITH_AUTHORIZATION_TYPEHASH,
            0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267
        );
        vm.assertEq(
            RedeemHash.TRANSFER_WITH_AUTHORIZATION_TYPEHASH,
            keccak256(
                "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
            )
        );
        vm.assertEq(RedeemHash.CANCEL_CREDITS_AUTHORIZATION_TYPEHASH, CANCEL_TYPEHASH);
    }

    /// @dev The contract accepts any order key. This test pins how clients compute order keys.
    function test_orderKeys() public view {
        vm.assertEq(
            keccak256(bytes(vm.parseJsonString(_vectors, ".orderTypestring"))),
            vm.parseJsonBytes32(_vectors, ".orderTypehash")
        );
        _assertOrder(".order");
        uint256 count = 0;
        for (; vm.keyExistsJson(_vectors, string.concat(".orders[", vm.toString(count), "]")); ++count) {
            _assertOrder(string.concat(".orders[", vm.toString(count), "]"));
        }
        vm.assertEq(count, 4);
        vm.assertEq(vm.parseJsonString(_vectors, ".orders[1].purchaseId"), "order 6");
    }

    function _assertOrder(string memory path) private view {
        bytes32 hash = keccak256(
            abi.encode(
                vm.parseJsonBytes32(_vectors, ".orderTypehash"),
                keccak256(bytes(vm.parseJsonString(_vectors, string.concat(path, ".merchantId")))),
                keccak256(bytes(vm.parseJsonString(_vectors, string.concat(path, ".purchaseId"))))
            )
        );
        vm.assertEq(hash, vm.parseJsonBytes32(_vectors, string.concat(path, ".hash")));
        // `intentNonce` sets the highest bit of any order key.
        ICredits.Intent memory intent;
        bytes32 nonce = credits.intentNonce(bytes12(hash), customer, 0, intent);
        vm.assertEq(bytes32(bytes12(nonce)), bytes32(_orderKey(path)));
    }

    function test_token() public view {
        ICredits.Settlement memory settlement;
        settlement.target = vm.parseJsonAddress(_vectors, ".cases[0].transactionData.destination");
        _assertCase(0, "token", settlement);
    }

    function test_normal() public view {
        _assertCase(1, "normal", _fromVector(1, ICredits.Kind.Normal));
    }

    function test_safeMint() public view {
        ICredits.Settlement memory settlement = _fromVector(2, ICredits.Kind.SafeMint);
        settlement.nftContract = settlement.target;
        _assertCase(2, "safeMint", settlement);
    }

    function test_safeMint_withNftContract() public view {
        ICredits.Settlement memory settlement = _fromVector(3, ICredits.Kind.SafeMint);
        settlement.nftContract = vm.parseJsonAddress(_vectors, ".cases[3].transactionData.nftContract");
        _assertCase(3, "safeMint with nftContract", settlement);
    }

    function test_returned() public view {
        ICredits.Settlement memory settlement = _fromVector(4, ICredits.Kind.Returned);
        settlement.nftContract = vm.parseJsonAddress(_vectors, ".cases[4].transactionData.nftContract");
        _assertCase(4, "returned", settlement);
    }

    function test_knownTokenId() public view {
        ICredits.Settlement memory settlement = _fromVector(5, ICredits.Kind.KnownTokenId);
        settlement.nftContract = vm.parseJsonAddress(_vectors, ".cases[5].transactionData.nftContract");
        settlement.nftId = vm.parseJsonUint(_vectors, ".cases[5].transactionData.nftId");
        _assertCase(5, "knownTokenId", settlement);
    }

    function test_decent() public {
        address bridgeAdapter = vm.parseJsonAddress(_vectors, ".adapter");
        vm.etch(bridgeAdapter, hex"00");
        vm.prank(admin);
        credits.setBridgeAdapter(bridgeAdapter);
        ICredits.Settlement memory settlement;
        settlement.kind = ICredits.Kind.Decent;
        settlement.target = vm.parseJsonAddress(_vectors, ".cases[6].transactionData.contractAddress");
        settlement.data = vm.parseJsonBytes(_vectors, ".cases[6].transactionData.contractData");
        settlement.bridge = ICredits.Bridge({
            dstChainId: vm.parseJsonUint(_vectors, ".cases[6].transactionData.dstChainId"),
            dstToken: vm.parseJsonAddress(_vectors, ".cases[6].transactionData.dstToken"),
            isNative: false,
            cost: vm.parseJsonUint(_vectors, ".cases[6].transactionData.cost.amount")
        });
        _assertCase(6, "decent", settlement);
    }

    function test_domain() public view {
        vm.assertEq(block.chainid, 8453);
        vm.assertEq(credits.DOMAIN_SEPARATOR(), _domainSeparator("Credits", address(credits)));
    }

    function test_permitDigest() public view {
        ICredits.Permit memory permit =
            ICredits.Permit(customer, SEED, 6_030_000, 1_800_000_600, bytes32(uint256(7)), "");
        bytes32 structHash = keccak256(
            abi.encode(
                0xc640b1397c8862ba581fdfb469fb434e0f862503d0e813de9bfb88abe49982ea,
                customer,
                keccak256(bytes(SEED)),
                uint256(6_030_000),
                uint256(1_800_000_600),
                bytes32(uint256(7))
            )
        );
        vm.assertEq(
            credits.hashCreditsAuthorization(permit),
            keccak256(abi.encodePacked("\x19\x01", credits.DOMAIN_SEPARATOR(), structHash))
        );
    }

    function test_cancelDigest() public view {
        bytes32 structHash = keccak256(abi.encode(CANCEL_TYPEHASH, customer, bytes32(uint256(7))));
        vm.assertEq(
            credits.hashCancelCreditsAuthorization(customer, bytes32(uint256(7))),
            keccak256(abi.encodePacked("\x19\x01", credits.DOMAIN_SEPARATOR(), structHash))
        );
    }

    function testFuzz_intentNonce_isIntentBound(
        bytes12 orderKey,
        address wallet,
        bytes32 hash,
        ICredits.Intent memory intent
    ) public view {
        bytes32 nonce = credits.intentNonce(orderKey, wallet, hash, intent);
        vm.assertTrue(uint256(nonce) >> 255 == 1);
        vm.assertEq(bytes32(bytes12(nonce)), bytes32(orderKey) | bytes32(uint256(1) << 255), "the order key");
        bytes32 whole = keccak256(
            abi.encode(RedeemHash.REDEEM_INTENT_TYPEHASH, wallet, hash, intent.amount, intent.usdcAmount, intent.salt)
        );
        vm.assertEq(nonce << 96, whole << 96, "the commitment");
        vm.assertTrue(RedeemHash.isIntentBound(nonce));
        assertFalse(RedeemHash.isIntentBound(bytes32(uint256(nonce) & type(uint256).max >> 1)));
    }

    function _fromVector(uint256 index, ICredits.Kind kind) private view returns (ICredits.Settlement memory) {
        string memory path = string.concat(".cases[", vm.toString(index), "].transactionData.transaction");
        return _call(
            kind,
            vm.parseJsonAddress(_vectors, string.concat(path, ".to")),
            vm.parseJsonBytes(_vectors, string.concat(path, ".data"))
        );
    }

    function _orderKey(string memory path) private view returns (bytes12) {
        return bytes12(vm.parseJsonBytes(_vectors, string.concat(path, ".orderKey")));
    }

    function _assertCase(uint256 index, string memory name, ICredits.Settlement memory settlement) private view {
        string memory path = string.concat(".cases[", vm.toString(index), "]");
        vm.assertEq(vm.parseJsonString(_vectors, string.concat(path, ".name")), name);
        bytes32 settlementHash = credits.hashSettlement(settlement);
        vm.assertEq(settlementHash, vm.parseJsonBytes32(_vectors, string.concat(path, ".settlementHash")), name);
        ICredits.Intent memory intent = ICredits.Intent({
            amount: vm.parseJsonUint(_vectors, ".amount"),
            usdcAmount: vm.parseJsonUint(_vectors, string.concat(path, ".usdcAmount")),
            salt: vm.parseJsonBytes32(_vectors, ".salt")
        });
        bytes32 nonce = vm.parseJsonBytes32(_vectors, string.concat(path, ".nonce"));
        bytes20 commitment = bytes20(vm.parseJsonBytes(_vectors, string.concat(path, ".commitment")));
        vm.assertEq(
            credits.intentNonce(
                _orderKey(".order"), vm.parseJsonAddress(_vectors, ".customerWallet"), settlementHash, intent
            ),
            nonce,
            name
        );
        vm.assertEq(nonce << 96, bytes32(commitment), name);
        vm.assertEq(bytes32(bytes12(nonce)), bytes32(_orderKey(".order")), name);
    }
}
