// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ForbiddenCalls} from "../src/ForbiddenCalls.sol";
import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {
    KnownTokenIdMerchant,
    NormalMerchant,
    ReturnedMerchant,
    SafeMintMerchant1155,
    SafeMintMerchant721
} from "./mocks/HonestMerchants.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";
import {SmartWallet} from "./mocks/Wallets.sol";

contract ShapesTest is CreditsFixture {
    // Token

    function test_token() public {
        _redeem(_signed(_token(receiver), DOLLAR));
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        _assertClean(999 * DOLLAR);
    }

    function test_token_revertsWhenDestinationIsZero() public {
        _expectRedeemReverts(
            _signed(_token(address(0)), DOLLAR), abi.encodeWithSelector(ICredits.ZeroAddress.selector, "destination")
        );
    }

    function test_token_revertsWhenDestinationIsBlacklisted() public {
        vm.prank(issuer);
        usdc.blacklist(receiver);
        _expectRedeemReverts(
            _signed(_token(receiver), DOLLAR),
            abi.encodeWithSignature("Error(string)", "Blacklistable: account is blacklisted")
        );
    }

    // Normal

    function test_normal() public {
        _redeem(_signed(_normal(3 * DOLLAR), 3 * DOLLAR));
        vm.assertEq(normalMerchant.paidFor(receiver), 3 * DOLLAR);
        vm.assertEq(usdc.balanceOf(address(normalMerchant)), 3 * DOLLAR);
        _assertClean(997 * DOLLAR);
    }

    function test_normal_refundsWhatWasNotPulled() public {
        ICredits.RedeemRequest memory request = _signed(_normal(3 * DOLLAR), 5 * DOLLAR);
        vm.expectEmit(address(credits));
        _emitRedeemed(request, 2 * DOLLAR);
        _redeem(request);
        _assertClean(997 * DOLLAR);
        vm.assertEq(usdc.allowance(address(credits), address(normalMerchant)), 0);
    }

    /// @dev The refund is in credits, even for the part that the customer paid in USDC.
    function test_normal_refundsUsdcAsCredits() public {
        _fund(customer, 4 * DOLLAR);
        _redeem(_signed(_normal(DOLLAR), 5 * DOLLAR, 4 * DOLLAR, 30_000, ICredits.UsdcMethod.ReceiveV1));
        _assertClean(1003 * DOLLAR - 30_000);
        vm.assertEq(credits.feesOwed(), 30_000);
    }

    function test_normal_revertsWhenCallPullsMore() public {
        _expectRedeemReverts(
            _signed(_normal(3 * DOLLAR + 1), 3 * DOLLAR),
            _callFailed(
                address(normalMerchant),
                abi.encodeWithSignature("Error(string)", "ERC20: transfer amount exceeds allowance")
            )
        );
    }

    function test_normal_revertsWhenCallReverts() public {
        ICredits.Settlement memory settlement = _call(
            ICredits.Kind.Normal, address(normalMerchant), abi.encodeCall(NormalMerchant.buy, (address(0), DOLLAR))
        );
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            _callFailed(
                address(normalMerchant), abi.encodeWithSignature("Error(string)", "NormalMerchant: no receiver")
            )
        );
    }

    function testFuzz_normal_refund(uint256 amount, uint256 price) public {
        amount = bound(amount, 1, 1000 * DOLLAR);
        price = bound(price, 0, amount);
        _redeem(_signed(_normal(price), amount));
        vm.assertEq(usdc.balanceOf(address(normalMerchant)), price);
        _assertClean(1000 * DOLLAR - price);
    }

    // Whitelist

    function test_whitelist_bySelector() public {
        _whitelist(block.chainid, address(normalMerchant), 0, true, false, 0);
        bytes4 selector = NormalMerchant.buy.selector;
        bytes memory refusal = abi.encodeWithSelector(
            ICredits.NotWhitelisted.selector, SEED, block.chainid, address(normalMerchant), selector
        );
        _expectRedeemReverts(_signed(_normal(DOLLAR), DOLLAR), refusal);

        _whitelist(block.chainid, address(normalMerchant), bytes4(0x12345678), false, true, CALL_GAS);
        _expectRedeemReverts(_signed(_normal(DOLLAR), DOLLAR), refusal);

        _whitelist(block.chainid, address(normalMerchant), selector, false, true, CALL_GAS);
        _redeem(_signed(_normal(DOLLAR), DOLLAR));

        _whitelist(block.chainid, address(normalMerchant), selector, false, false, 0);
        _expectRedeemReverts(_signed(_normal(DOLLAR), DOLLAR), refusal);
    }

    function test_whitelist_revertsWhenForAnotherSeed() public {
        vm.prank(admin);
        credits.setRandomNoncePermits("another", true);
        _mintCredits("another", customer, DOLLAR);
        ICredits.RedeemRequest memory request = _request(_normal(DOLLAR), DOLLAR, 0, 0);
        request.permit.creditSeed = "another";
        _bind(request);
        _sign(request);
        _expectRedeemReverts(
            request,
            abi.encodeWithSelector(
                ICredits.NotWhitelisted.selector,
                "another",
                block.chainid,
                address(normalMerchant),
                NormalMerchant.buy.selector
            )
        );
    }

    function test_whitelist_revertsWhenForAnotherChain() public {
        NormalMerchant other = new NormalMerchant(address(usdc));
        _whitelist(1, address(other), 0, true, true, CALL_GAS);
        ICredits.Settlement memory settlement = _normal(DOLLAR);
        settlement.target = address(other);
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            abi.encodeWithSelector(
                ICredits.NotWhitelisted.selector, SEED, block.chainid, address(other), NormalMerchant.buy.selector
            )
        );
    }

    function test_whitelisted_view() public {
        _whitelist(5, stranger, bytes4(0x01020304), false, true, 70_000);
        (bool allowed, uint256 minimumGas) = credits.whitelisted(SEED, 5, stranger, 0x01020304);
        vm.assertTrue(allowed);
        vm.assertEq(minimumGas, 70_000);
        (allowed,) = credits.whitelisted(SEED, 5, stranger, 0x01020305);
        assertFalse(allowed);
        _whitelist(5, stranger, bytes4(0), true, true, 50_000);
        (allowed, minimumGas) = credits.whitelisted(SEED, 5, stranger, 0x01020305);
        vm.assertTrue(allowed);
        vm.assertEq(minimumGas, 50_000);
        (, minimumGas) = credits.whitelisted(SEED, 5, stranger, 0x01020304);
        vm.assertEq(minimumGas, 70_000, "the selector's own entry takes precedence");
    }

    // Forbidden targets

    function test_normal_revertsWhenTargetIsForbidden() public {
        address[4] memory targets = [address(usdc), address(credits), ForbiddenCalls.PERMIT2, address(adapter)];
        vm.etch(ForbiddenCalls.PERMIT2, address(normalMerchant).code);
        for (uint256 i = 0; i < targets.length; ++i) {
            ICredits.Settlement memory settlement = _normal(DOLLAR);
            settlement.target = targets[i];
            _expectRedeemReverts(
                _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, targets[i])
            );
        }
    }

    /// @dev The target was whitelisted before it became the bridge adapter.
    function test_normal_revertsWhenTargetBecameTheAdapter() public {
        vm.prank(admin);
        credits.setBridgeAdapter(address(normalMerchant));
        _expectRedeemReverts(
            _signed(_normal(DOLLAR), DOLLAR),
            abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, address(normalMerchant))
        );
    }

    /// @dev The target lost its code after it was whitelisted.
    function test_normal_revertsWhenTargetHasNoCode() public {
        vm.etch(stranger, hex"00");
        _allow(stranger);
        vm.etch(stranger, "");
        ICredits.Settlement memory settlement = _normal(DOLLAR);
        settlement.target = stranger;
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TargetWithoutCode.selector, stranger)
        );
    }

    function test_normal_revertsWhenSelectorIsForbidden() public {
        string[30] memory functions = [
            "approve(address,uint256)",
            "increaseAllowance(address,uint256)",
            "decreaseAllowance(address,uint256)",
            "setApprovalForAll(address,bool)",
            "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
            "permit(address,address,uint256,uint256,bytes)",
            "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
            "transfer(address,uint256)",
            "transferFrom(address,address,uint256)",
            "safeTransferFrom(address,address,uint256)",
            "safeTransferFrom(address,address,uint256,bytes)",
            "safeTransferFrom(address,address,uint256,uint256,bytes)",
            "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)",
            "increaseApproval(address,uint256)",
            "decreaseApproval(address,uint256)",
            "authorizeOperator(address)",
            "approve(address,uint256,uint256)",
            "setOperator(address,bool)",
            "approveAndCall(address,uint256)",
            "approveAndCall(address,uint256,bytes)",
            "permit(address,uint256,uint256,bytes)",
            "permit(address,uint256,uint256,uint8,bytes32,bytes32)",
            "transfer(address,uint256,uint256)",
            "transferFrom(address,address,uint256,uint256)",
            "send(address,uint256,bytes)",
            "operatorSend(address,address,uint256,bytes,bytes)",
            "transferAndCall(address,uint256)",
            "transferAndCall(address,uint256,bytes)",
            "transferFromAndCall(address,address,uint256)",
            "transferFromAndCall(address,address,uint256,bytes)"
        ];
        for (uint256 i = 0; i < functions.length; ++i) {
            bytes4 selector = bytes4(keccak256(bytes(functions[i])));
            vm.assertTrue(ForbiddenCalls.contains(selector), functions[i]);
            vm.prank(admin);
            vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenSelector.selector, selector));
            credits.setWhitelist(SEED, block.chainid, address(normalMerchant), selector, false, true, CALL_GAS);
            ICredits.Settlement memory settlement =
                _call(ICredits.Kind.Normal, address(normalMerchant), abi.encodePacked(selector, new bytes(64)));
            _expectRedeemReverts(
                _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.ForbiddenSelector.selector, selector)
            );
        }
    }

    /// @dev The arguments of these functions contain further calls. Only an entry for the function itself allows them.
    function test_normal_revertsWhenSelectorIsABundle() public {
        string[23] memory functions = [
            "multicall(bytes[])",
            "multicall(uint256,bytes[])",
            "multicall(bytes32,bytes[])",
            "batch(bytes[])",
            "batch(bytes[],bool)",
            "aggregate((address,bytes)[])",
            "aggregate3((address,bool,bytes)[])",
            "aggregate3Value((address,bool,uint256,bytes)[])",
            "tryAggregate(bool,(address,bytes)[])",
            "blockAndAggregate((address,bytes)[])",
            "tryBlockAndAggregate(bool,(address,bytes)[])",
            "multiSend(bytes)",
            "execute(address,uint256,bytes)",
            "execute(address,uint256,bytes,uint8)",
            "execute(address,bytes)",
            "execute(bytes32,bytes)",
            "execute(bytes,bytes[])",
            "execute(bytes,bytes[],uint256)",
            "execute((address,uint256,bytes)[])",
            "executeBatch(address[],bytes[])",
            "executeBatch(address[],uint256[],bytes[])",
            "executeBatch((address,uint256,bytes)[])",
            "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)"
        ];
        FreeShop shop = new FreeShop();
        _allow(address(shop));
        for (uint256 i = 0; i < functions.length; ++i) {
            bytes4 selector = bytes4(keccak256(bytes(functions[i])));
            vm.assertTrue(ForbiddenCalls.isBundle(selector), functions[i]);
            assertFalse(ForbiddenCalls.contains(selector), functions[i]);
            (bool allowed,) = credits.whitelisted(SEED, block.chainid, address(shop), selector);
            assertFalse(allowed, functions[i]);
            ICredits.Settlement memory settlement =
                _call(ICredits.Kind.Normal, address(shop), abi.encodePacked(selector, new bytes(64)));
            _expectRedeemReverts(
                _signed(settlement, DOLLAR),
                abi.encodeWithSelector(ICredits.NotWhitelisted.selector, SEED, block.chainid, address(shop), selector)
            );
            _whitelist(block.chainid, address(shop), selector, false, true, CALL_GAS);
            _redeem(_signed(settlement, DOLLAR));
        }
        _redeem(_signed(_call(ICredits.Kind.Normal, address(shop), hex"01020304"), DOLLAR));
    }

    function test_normal_revertsWhenDataIsTooShort() public {
        for (uint256 length = 0; length < 4; ++length) {
            bytes memory data = new bytes(length);
            if (length != 0) data[length - 1] = 0xff;
            ICredits.Settlement memory settlement = _call(ICredits.Kind.Normal, address(normalMerchant), data);
            _expectRedeemReverts(
                _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.ForbiddenSelector.selector, bytes4(data))
            );
        }
    }

    // Unused fields

    function test_redeem_revertsWhenUnusedFieldIsSet() public {
        _expectUnexpected(_with(_token(receiver), "data"), "data");
        ICredits.Settlement[5] memory withoutBridge =
            [_token(receiver), _normal(DOLLAR), _safeMint(1, DOLLAR), _returned(DOLLAR), _known(1)];
        for (uint256 i = 0; i < withoutBridge.length; ++i) {
            _expectUnexpected(_with(withoutBridge[i], "dstChainId"), "dstChainId");
            _expectUnexpected(_with(withoutBridge[i], "dstToken"), "dstToken");
            _expectUnexpected(_with(withoutBridge[i], "isNative"), "isNative");
            _expectUnexpected(_with(withoutBridge[i], "cost"), "cost");
        }
        ICredits.Settlement[5] memory withoutId =
            [_token(receiver), _normal(DOLLAR), _safeMint(1, DOLLAR), _returned(DOLLAR), _decent(DOLLAR)];
        for (uint256 i = 0; i < withoutId.length; ++i) {
            _expectUnexpected(_with(withoutId[i], "nftId"), "nftId");
        }
        _expectUnexpected(_with(_token(receiver), "nftContract"), "nftContract");
        _expectUnexpected(_with(_normal(DOLLAR), "nftContract"), "nftContract");
        _expectUnexpected(_with(_decent(DOLLAR), "nftContract"), "nftContract");
        _expectUnexpected(_with(_decent(DOLLAR), "isNative"), "dstToken");
    }

    function _with(ICredits.Settlement memory settlement, string memory field)
        private
        pure
        returns (ICredits.Settlement memory changed)
    {
        changed = abi.decode(abi.encode(settlement), (ICredits.Settlement));
        bytes32 name = keccak256(bytes(field));
        if (name == keccak256("data")) changed.data = hex"00";
        else if (name == keccak256("nftContract")) changed.nftContract = address(1);
        else if (name == keccak256("nftId")) changed.nftId = 1;
        else if (name == keccak256("dstChainId")) changed.bridge.dstChainId = 1;
        else if (name == keccak256("dstToken")) changed.bridge.dstToken = address(1);
        else if (name == keccak256("isNative")) changed.bridge.isNative = true;
        else if (name == keccak256("cost")) changed.bridge.cost = 1;
    }

    function _expectUnexpected(ICredits.Settlement memory settlement, string memory field) private {
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            abi.encodeWithSelector(ICredits.UnexpectedField.selector, settlement.kind, field)
        );
    }

    // Safe mint

    function test_safeMint_721() public {
        _redeem(_signed(_safeMint(3, DOLLAR), DOLLAR));
        for (uint256 id = 1; id <= 3; ++id) {
            vm.assertEq(mint721.ownerOf(id), customer);
        }
        _assertClean(999 * DOLLAR);
    }

    /// @dev A wallet without receiver hooks gets its token by `transferFrom`.
    function test_safeMint_721_toContractWithoutHook() public {
        address wallet = address(normalMerchant);
        // This code accepts every signature.
        vm.etch(wallet, hex"631626ba7e60e01b60005260206000f3");
        _redeem(_signedBy(wallet, _safeMint(1, DOLLAR), DOLLAR));
        vm.assertEq(mint721.ownerOf(1), wallet);
    }

    function test_safeMint_sixteen() public {
        _redeem(_signed(_safeMint(16, DOLLAR), DOLLAR));
        vm.assertEq(mint721.balanceOf(customer), 16);
    }

    function test_safeMint_revertsWhenSeventeen() public {
        _expectRedeemReverts(
            _signed(_safeMint(17, DOLLAR), DOLLAR),
            _callFailed(address(mint721), abi.encodeWithSelector(ICredits.TooManyTokens.selector, 16))
        );
    }

    function test_safeMint_revertsWhenNothingArrived() public {
        _expectRedeemReverts(
            _signed(_safeMint(0, DOLLAR), DOLLAR),
            abi.encodeWithSelector(ICredits.NoTokensArrived.selector, address(mint721))
        );
    }

    /// @dev Tokens that arrived in one redeem do not count for a later redeem in the same transaction.
    function test_safeMint_countsSeparatelyForEachRedeem() public {
        _redeem(_signed(_safeMint(16, DOLLAR), DOLLAR));
        _redeem(_signed(_safeMint(16, DOLLAR), DOLLAR));
        vm.assertEq(mint721.balanceOf(customer), 32);
        _expectRedeemReverts(
            _signed(_safeMint(0, DOLLAR), DOLLAR),
            abi.encodeWithSelector(ICredits.NoTokensArrived.selector, address(mint721))
        );
    }

    function test_safeMint_1155() public {
        _redeem(_signed(_mint1155(abi.encodeCall(SafeMintMerchant1155.mint, (5, 9, DOLLAR))), DOLLAR));
        vm.assertEq(mint1155.balanceOf(customer, 5), 9);
    }

    function test_safeMint_1155_batch() public {
        uint256[] memory ids = new uint256[](3);
        uint256[] memory values = new uint256[](3);
        (ids[0], ids[1], ids[2]) = (1, 2, 3);
        (values[0], values[1], values[2]) = (10, 0, 30);
        _redeem(_signed(_mint1155(abi.encodeCall(SafeMintMerchant1155.mintBatch, (ids, values, DOLLAR))), DOLLAR));
        vm.assertEq(mint1155.balanceOf(customer, 1), 10);
        vm.assertEq(mint1155.balanceOf(customer, 3), 30);
        vm.assertEq(mint1155.balanceOf(address(credits), 1), 0);
    }

    function test_safeMint_1155_revertsWhenNoneOfAnId() public {
        _expectRedeemReverts(
            _signed(_mint1155(abi.encodeCall(SafeMintMerchant1155.mint, (5, 0, DOLLAR))), DOLLAR),
            abi.encodeWithSelector(ICredits.NoTokensArrived.selector, address(mint1155))
        );
    }

    function test_safeMint_1155_revertsWhenSeventeen() public {
        uint256[] memory ids = new uint256[](17);
        uint256[] memory values = new uint256[](17);
        for (uint256 i = 0; i < 17; ++i) {
            (ids[i], values[i]) = (i, 1);
        }
        _expectRedeemReverts(
            _signed(_mint1155(abi.encodeCall(SafeMintMerchant1155.mintBatch, (ids, values, DOLLAR))), DOLLAR),
            _callFailed(address(mint1155), abi.encodeWithSelector(ICredits.TooManyTokens.selector, 16))
        );
    }

    function test_safeMint_1155_toSmartWallet() public {
        address wallet = address(new SmartWallet(customer));
        _redeem(_signedBy(wallet, _mint1155(abi.encodeCall(SafeMintMerchant1155.mint, (5, 9, DOLLAR))), DOLLAR));
        vm.assertEq(mint1155.balanceOf(wallet, 5), 9);
    }

    function _mint1155(bytes memory data) private view returns (ICredits.Settlement memory settlement) {
        settlement = _call(ICredits.Kind.SafeMint, address(mint1155), data);
        settlement.nftContract = address(mint1155);
    }

    // Who may send tokens

    function test_hooks_revertOutsideOfARedeem() public {
        mint721.mint(0, 0);
        vm.expectRevert(abi.encodeWithSelector(ICredits.UnexpectedToken.selector, stranger));
        vm.prank(stranger);
        credits.onERC721Received(stranger, stranger, 1, "");
        vm.expectRevert(abi.encodeWithSelector(ICredits.UnexpectedToken.selector, stranger));
        vm.prank(stranger);
        credits.onERC1155Received(stranger, stranger, 1, 0, "");
        vm.expectRevert(abi.encodeWithSelector(ICredits.UnexpectedToken.selector, stranger));
        vm.prank(stranger);
        credits.onERC1155Received(stranger, stranger, 1, 1, "");
        vm.expectRevert(abi.encodeWithSelector(ICredits.UnexpectedToken.selector, stranger));
        vm.prank(stranger);
        credits.onERC1155BatchReceived(stranger, stranger, new uint256[](1), new uint256[](1), "");
    }

    function test_hooks_revertAfterARedeem() public {
        _redeem(_signed(_safeMint(1, DOLLAR), DOLLAR));
        vm.prank(address(mint721));
        vm.expectRevert(abi.encodeWithSelector(ICredits.UnexpectedToken.selector, address(mint721)));
        credits.onERC721Received(address(mint721), address(0), 2, "");
    }

    function test_supportsInterface() public view {
        vm.assertTrue(credits.supportsInterface(0x4e2312e0)); // ERC-1155 receiver
        vm.assertTrue(credits.supportsInterface(0x01ffc9a7)); // ERC-165
        vm.assertTrue(credits.supportsInterface(0x7965db0b)); // access control
        assertFalse(credits.supportsInterface(0xffffffff));
    }

    // NFT contract

    function test_nft_revertsWhenContractIsZero() public {
        ICredits.Settlement memory settlement = _safeMint(1, DOLLAR);
        settlement.nftContract = address(0);
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.ZeroAddress.selector, "nftContract")
        );
    }

    function test_nft_revertsWhenContractIsNotWhitelisted() public {
        SafeMintMerchant721 other = new SafeMintMerchant721(address(usdc));
        ICredits.Settlement memory settlement = _safeMint(1, DOLLAR);
        settlement.nftContract = address(other);
        bytes memory refusal = abi.encodeWithSelector(ICredits.NftContractNotWhitelisted.selector, SEED, address(other));
        _expectRedeemReverts(_signed(settlement, DOLLAR), refusal);
        // Allowed, then removed: by selector and for any selector
        _whitelist(block.chainid, address(other), bytes4(0x12345678), false, false, 0);
        _whitelist(block.chainid, address(other), bytes4(0x12345678), false, true, CALL_GAS);
        _whitelist(block.chainid, address(other), bytes4(0x12345678), false, true, CALL_GAS);
        _whitelist(block.chainid, address(other), bytes4(0x12345678), false, false, 0);
        _whitelist(block.chainid, address(other), bytes4(0), true, true, CALL_GAS);
        _whitelist(block.chainid, address(other), bytes4(0), true, false, 0);
        _expectRedeemReverts(_signed(settlement, DOLLAR), refusal);
    }

    /// @dev A contract that is whitelisted for one function can deliver its own tokens, but no others.
    function test_nft_revertsWhenAnotherContractsTokenArrives() public {
        SafeMintMerchant721 other = new SafeMintMerchant721(address(usdc));
        _whitelist(block.chainid, address(other), bytes4(0x12345678), false, true, CALL_GAS);
        ICredits.Settlement memory settlement = _safeMint(1, DOLLAR);
        settlement.nftContract = address(other);
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            _callFailed(address(mint721), abi.encodeWithSelector(ICredits.UnexpectedToken.selector, address(mint721)))
        );
    }

    function test_nft_revertsWhenContractIsForbidden() public {
        address[4] memory contracts = [address(usdc), address(credits), ForbiddenCalls.PERMIT2, address(adapter)];
        for (uint256 i = 0; i < contracts.length; ++i) {
            ICredits.Settlement memory settlement = _safeMint(1, DOLLAR);
            settlement.nftContract = contracts[i];
            _expectRedeemReverts(
                _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, contracts[i])
            );
        }
    }

    function test_nft_revertsWhenContractHasNoCode() public {
        vm.etch(stranger, hex"00");
        _allow(stranger);
        vm.etch(stranger, "");
        ICredits.Settlement memory settlement = _safeMint(1, DOLLAR);
        settlement.nftContract = stranger;
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TargetWithoutCode.selector, stranger)
        );
    }

    // Returned

    function test_returned() public {
        _redeem(_signed(_returned(DOLLAR), DOLLAR));
        vm.assertEq(returnedMerchant.ownerOf(1), customer);
        _assertClean(999 * DOLLAR);
    }

    function test_returned_revertsWhenNothingArrived() public {
        // `NormalMerchant` returns a number, but no token arrives.
        ICredits.Settlement memory settlement = _normal(DOLLAR);
        settlement.kind = ICredits.Kind.Returned;
        settlement.nftContract = address(returnedMerchant);
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(returnedMerchant), 1)
        );
    }

    function test_returned_revertsWhenNothingIsReturned() public {
        ICredits.Settlement memory settlement = _safeMint(1, DOLLAR);
        settlement.kind = ICredits.Kind.Returned;
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TokenIdNotReturned.selector, 0)
        );
    }

    // Known token id

    function test_knownTokenId() public {
        knownMerchant.list(42, 2 * DOLLAR);
        _redeem(_signed(_known(42), 3 * DOLLAR));
        vm.assertEq(knownMerchant.ownerOf(42), customer);
        _assertClean(998 * DOLLAR);
    }

    /// @dev In all three NFT kinds, the token may arrive through the receiver hook.
    function test_knownTokenId_throughHook() public {
        ICredits.Settlement memory settlement = _safeMint(1, DOLLAR);
        settlement.kind = ICredits.Kind.KnownTokenId;
        settlement.nftId = 1;
        _redeem(_signed(settlement, DOLLAR));
        vm.assertEq(mint721.ownerOf(1), customer);
    }

    function test_knownTokenId_revertsWhenMoreArrives() public {
        ICredits.Settlement memory settlement = _safeMint(2, DOLLAR);
        settlement.kind = ICredits.Kind.KnownTokenId;
        settlement.nftId = 1;
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.UnexpectedToken.selector, address(mint721))
        );
    }

    function test_knownTokenId_revertsWhenAnotherArrives() public {
        knownMerchant.list(42, DOLLAR);
        knownMerchant.list(43, DOLLAR);
        ICredits.Settlement memory settlement = _known(42);
        settlement.nftId = 43;
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(knownMerchant), 43)
        );
    }

    function test_knownTokenId_revertsWhenOwnedBefore() public {
        knownMerchant.list(42, 0);
        vm.prank(address(credits));
        knownMerchant.buy(42);
        _expectRedeemReverts(
            _signed(_known(42), DOLLAR),
            abi.encodeWithSelector(ICredits.TokenAlreadyOwned.selector, address(knownMerchant), 42)
        );
    }

    function test_knownTokenId_revertsWhenSold() public {
        _expectRedeemReverts(
            _signed(_known(42), DOLLAR),
            _callFailed(
                address(knownMerchant), abi.encodeWithSignature("Error(string)", "KnownTokenIdMerchant: not for sale")
            )
        );
    }

    // Decent

    function test_decent() public {
        _openRoute();
        _redeem(_signed(_decent(2 * DOLLAR), 2 * DOLLAR));
        vm.assertEq(usdc.balanceOf(address(adapter)), 2 * DOLLAR);
        vm.assertEq(usdc.allowance(address(credits), address(adapter)), 0);
        _assertClean(998 * DOLLAR);
    }

    function test_decent_revertsWhenNotWhitelistedForDestinationChain() public {
        _openRoute();
        _whitelist(DST_CHAIN, address(0xDE57), NormalMerchant.buy.selector, false, false, 0);
        vm.etch(address(0xDE57), hex"00");
        _allow(address(0xDE57));
        _expectRedeemReverts(
            _signed(_decent(DOLLAR), DOLLAR),
            abi.encodeWithSelector(
                ICredits.NotWhitelisted.selector, SEED, DST_CHAIN, address(0xDE57), NormalMerchant.buy.selector
            )
        );
    }

    function test_decent_revertsWhenNoAdapter() public {
        _openRoute();
        vm.prank(admin);
        credits.setBridgeAdapter(address(0));
        _expectRedeemReverts(
            _signed(_decent(DOLLAR), DOLLAR), abi.encodeWithSelector(ICredits.BridgeAdapterNotSet.selector)
        );
    }

    function test_decent_revertsWhenTokenIsMissing() public {
        _openRoute();
        ICredits.Settlement memory settlement = _decent(DOLLAR);
        settlement.bridge.dstToken = address(0);
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.ZeroAddress.selector, "dstToken")
        );
    }

    function test_decent_revertsWhenSelectorIsForbidden() public {
        ICredits.Settlement memory settlement = _decent(DOLLAR);
        settlement.data = abi.encodeCall(MockUsdc.transfer, (stranger, 1));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            abi.encodeWithSelector(ICredits.ForbiddenSelector.selector, MockUsdc.transfer.selector)
        );
    }

    function test_decent_revertsWhenTargetIsForbidden() public {
        ICredits.Settlement memory settlement = _decent(DOLLAR);
        settlement.target = ForbiddenCalls.PERMIT2;
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, ForbiddenCalls.PERMIT2)
        );
    }

    // Gas

    function test_minimumGas() public {
        _whitelist(block.chainid, address(normalMerchant), 0, true, true, 500_000);
        ICredits.RedeemRequest memory request = _signed(_normal(DOLLAR), DOLLAR);
        vm.prank(operator);
        vm.expectPartialRevert(ICredits.InsufficientGas.selector);
        credits.redeem{gas: 500_000}(request);
        vm.prank(operator);
        credits.redeem{gas: 800_000}(request);
    }

    function _callFailed(address target, bytes memory reason) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ICredits.CallFailed.selector, target, reason);
    }

    /// @dev Checks that every raw unit that the contract holds is a credit or a fee.
    function _assertClean(uint256 customerCredits) private view {
        vm.assertEq(_customerCredits(), customerCredits);
        vm.assertEq(credits.totalCredits(), customerCredits);
        vm.assertEq(credits.surplus(), 0);
        vm.assertEq(usdc.balanceOf(address(credits)), credits.totalCredits() + credits.feesOwed());
    }
}

/// @dev Accepts every call and takes nothing.
contract FreeShop {
    fallback() external {}
}
