// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {ITokenRescue} from "../src/ITokenRescue.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {SafeMintMerchant721} from "./mocks/HonestMerchants.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {BombNft, CatchingMerchant, FrugalAdapter, GasMeter, ShortNft} from "./mocks/OddMerchants.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

contract HostileTest is CreditsFixture {
    HostileMerchant private hostile;

    function setUp() public override {
        super.setUp();
        hostile = new HostileMerchant(address(usdc));
        _allow(address(hostile));
        // The hostile merchant has every role that it could abuse.
        vm.startPrank(admin);
        credits.grantRole(credits.OPERATOR_ROLE(), address(hostile));
        credits.grantRole(credits.MINTER_ROLE(), address(hostile));
        vm.stopPrank();
    }

    function _attack(bytes memory data) private view returns (ICredits.Settlement memory) {
        return _call(ICredits.Kind.Normal, address(hostile), data);
    }

    function _attackNft(ICredits.Kind kind, bytes memory data)
        private
        view
        returns (ICredits.Settlement memory settlement)
    {
        settlement = _call(kind, address(hostile), data);
        settlement.nftContract = address(hostile);
    }

    // Reentrancy

    function _expectLocked(bytes memory data) private {
        bytes memory locked = abi.encodeWithSignature("ReentrancyGuardReentrantCall()");
        _expectRedeemReverts(
            _signed(_attack(abi.encodeCall(HostileMerchant.reenter, (0, data))), DOLLAR), _callFailed(locked)
        );
    }

    function test_reenter_redeem() public {
        _expectLocked(abi.encodeCall(ICredits.redeem, (_signed(_token(stranger), DOLLAR))));
    }

    function test_reenter_redeemToken() public {
        ICredits.RedeemRequest memory request = _signed(_token(stranger), DOLLAR);
        _expectLocked(abi.encodeCall(ICredits.redeemToken, (request.permit, DOLLAR, 0, request.intent.salt, stranger)));
    }

    function test_reenter_redeemBatch() public {
        bytes[] memory requests = new bytes[](1);
        requests[0] = abi.encode(_signed(_token(stranger), DOLLAR));
        uint256[] memory gasLimits = new uint256[](1);
        gasLimits[0] = 500_000;
        _expectLocked(abi.encodeCall(ICredits.redeemBatch, (requests, gasLimits)));
    }

    function test_reenter_mint() public {
        _expectLocked(abi.encodeCall(ICredits.mint, (SEED, stranger, 1)));
    }

    function test_reenter_burn() public {
        _expectLocked(abi.encodeCall(ICredits.burn, (SEED, customer, 1)));
    }

    /// @dev During a call, the balance still includes the amount that the call may pull. That amount is not surplus.
    function test_reenter_creditEarlyAuthorization() public {
        ICredits.RedeemRequest memory early = _minedEarly();
        vm.prank(operator);
        credits.creditEarlyAuthorization(SEED, _early(early));
        _expectLocked(abi.encodeCall(ICredits.creditEarlyAuthorization, (SEED, _early(early))));
    }

    function test_reenter_withdrawFees() public {
        _expectLocked(abi.encodeCall(ICredits.withdrawFees, ()));
    }

    function test_reenter_burnBySignature() public {
        _expectLocked(abi.encodeCall(ICredits.burnBySignature, (customer, SEED, 1, block.timestamp, "")));
    }

    function test_reenter_rescue() public {
        _expectLocked(abi.encodeCall(ICredits.rescueErc20, (IERC20(address(hostile)), 1, stranger)));
        _expectLocked(abi.encodeCall(ICredits.rescueNft, (IERC721(address(hostile)), 1, stranger)));
    }

    function test_reenter_redeemItem() public {
        ICredits.RedeemRequest memory inner = _signed(_token(stranger), DOLLAR);
        bytes memory data = abi.encodeWithSignature(
            "redeemItem(address,((address,string,uint256,uint256,bytes32,bytes),(uint256,uint256,bytes32),(uint8,address,bytes,address,uint256,(uint256,address,bool,uint256)),(uint8,bytes),uint256))",
            operator,
            inner
        );
        vm.assertEq(bytes32(bytes4(data)), bytes32(credits.redeemItem.selector));
        _expectRedeemReverts(
            _signed(_attack(abi.encodeCall(HostileMerchant.reenter, (0, data))), DOLLAR),
            _callFailed(abi.encodeWithSelector(ICredits.OnlySelf.selector, address(hostile)))
        );
    }

    function test_reenter_surplus() public {
        _expectLocked(abi.encodeCall(ICredits.surplus, ()));
        vm.assertEq(credits.surplus(), 0);
    }

    /// @dev Cancelling moves no funds, so it is allowed. The nonce of the running redeem is already used.
    function test_reenter_cancel() public {
        bytes32 other = bytes32(uint256(1));
        bytes memory signature = _signature(CUSTOMER_KEY, credits.hashCancelCreditsAuthorization(customer, other));
        bytes memory data = abi.encodeCall(ICredits.cancelCreditsAuthorization, (customer, other, signature));
        _redeem(_signed(_attack(abi.encodeCall(HostileMerchant.reenter, (DOLLAR, data))), DOLLAR));
        vm.assertEq(uint256(_orderState(customer, other)), uint256(ICredits.OrderState.Cancelled));
        _assertBacked();
    }

    /// @dev A redeem inside a batch tries to start another redeem.
    function test_reenter_fromBatch() public {
        ICredits.RedeemRequest[] memory requests = new ICredits.RedeemRequest[](2);
        bytes memory inner = abi.encodeCall(ICredits.redeem, (_signed(_token(stranger), DOLLAR)));
        requests[0] = _signed(_attack(abi.encodeCall(HostileMerchant.reenter, (0, inner))), DOLLAR);
        requests[1] = _signed(_token(receiver), DOLLAR);
        uint256[] memory gasLimits = new uint256[](2);
        (gasLimits[0], gasLimits[1]) = (500_000, 500_000);
        vm.prank(operator);
        ICredits.BatchResult[] memory results = credits.redeemBatch(_encoded(requests), gasLimits);
        assertFalse(results[0].success);
        vm.assertTrue(results[1].success);
        vm.assertEq(usdc.balanceOf(stranger), 0);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    // Pulling

    function test_pull_twice() public {
        _redeem(_signed(_attack(abi.encodeCall(HostileMerchant.pullTwice, (DOLLAR, 2 * DOLLAR))), 5 * DOLLAR));
        vm.assertEq(_customerCredits(), 997 * DOLLAR);
        vm.assertEq(usdc.balanceOf(address(hostile)), 3 * DOLLAR);
        _assertBacked();
    }

    function test_pull_revertsWhenTooMuch() public {
        _expectRedeemReverts(
            _signed(_attack(abi.encodeCall(HostileMerchant.pullTwice, (3 * DOLLAR, 3 * DOLLAR))), 5 * DOLLAR),
            _callFailed(abi.encodeWithSignature("Error(string)", "ERC20: transfer amount exceeds allowance"))
        );
    }

    function test_pull_revertsAfterTheRedeem() public {
        _redeem(_signed(_attack(abi.encodeCall(HostileMerchant.doNothing, ())), 5 * DOLLAR));
        vm.assertEq(_customerCredits(), 1000 * DOLLAR);
        vm.prank(address(hostile));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "ERC20: transfer amount exceeds allowance"));
        usdc.transferFrom(address(credits), address(hostile), 1);
    }

    // Other accounts' money during a call

    function _minedEarly() private returns (ICredits.RedeemRequest memory request) {
        _fund(customer, 4 * DOLLAR);
        request = _signedRandomNonce(_token(receiver), 10 * DOLLAR, 4 * DOLLAR, 0, ICredits.UsdcMethod.TransferV2);
        _executeEarly(request);
    }

    /// @dev USDC that arrives during the call does not increase the refund.
    function test_frontRun_doesNotChangeTheRefund() public {
        _fund(customer, 4 * DOLLAR);
        ICredits.RedeemRequest memory other =
            _signedRandomNonce(_token(receiver), 10 * DOLLAR, 4 * DOLLAR, 0, ICredits.UsdcMethod.TransferV2);
        bytes memory data = abi.encodeCall(HostileMerchant.tryCall, (DOLLAR, address(usdc), _usdcCall(other)));
        _redeem(_signed(_attack(data), 3 * DOLLAR));
        vm.assertTrue(hostile.lastSucceeded());
        vm.assertEq(_customerCredits(), 999 * DOLLAR, "pulled 1 of 3");
        vm.assertEq(credits.surplus(), 4 * DOLLAR, "the other customer's USDC is surplus until an operator credits it");
        _assertBacked();
    }

    function test_donation_doesNotIncreaseTheRefund() public {
        _fund(address(hostile), 7 * DOLLAR);
        bytes memory donate = abi.encodeWithSignature("transfer(address,uint256)", address(credits), 7 * DOLLAR);
        _redeem(_signed(_attack(abi.encodeCall(HostileMerchant.tryCall, (DOLLAR, address(usdc), donate))), 3 * DOLLAR));
        vm.assertEq(_customerCredits(), 999 * DOLLAR);
        vm.assertEq(credits.surplus(), 7 * DOLLAR);
    }

    // Return bombs and revert bombs

    function test_revertBomb() public {
        ICredits.RedeemRequest memory request =
            _signed(_attack(abi.encodeCall(HostileMerchant.revertBomb, (300_000))), DOLLAR);
        _expectRedeemReverts(request, _callFailed(new bytes(1024)));
        vm.prank(operator);
        (bool success,) = address(credits).call{gas: 2_000_000}(abi.encodeCall(ICredits.redeem, (request)));
        assertFalse(success);
        // The merchant's memory costs about 200,000 gas. Copying the memory would cost the same again.
        vm.assertLe(vm.lastCallGas().gasTotalUsed, 420_000);
    }

    function test_returnBomb() public {
        ICredits.RedeemRequest memory request =
            _signed(_attack(abi.encodeCall(HostileMerchant.returnBomb, (300_000))), DOLLAR);
        vm.prank(operator);
        credits.redeem(request);
        vm.assertLe(vm.lastCallGas().gasTotalUsed, 420_000);
        vm.assertEq(_customerCredits(), 1000 * DOLLAR);
    }

    function test_eatGas() public {
        ICredits.RedeemRequest memory request = _signed(_attack(abi.encodeCall(HostileMerchant.eatGas, ())), DOLLAR);
        vm.prank(operator);
        vm.expectRevert(_callFailed(""));
        credits.redeem{gas: 5_000_000}(request);
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.OrderState.Unused));
    }

    /// @dev The whitelist's minimum protects the customers of a merchant that fails silently with little gas.
    function test_minimumGas_isGivenToTheCall() public {
        GasMeter meter = new GasMeter();
        _whitelist(block.chainid, address(meter), 0, true, true, 400_000);
        ICredits.Settlement memory settlement = _call(ICredits.Kind.Normal, address(meter), hex"01020304");
        uint256 least = _leastGas(_signed(settlement, DOLLAR), 400_000);
        vm.assertGe(meter.given(), 400_000, "the call gets the full minimum gas");
        vm.assertLe(meter.given(), 402_000, "the relayer supplies no more than needed");
        vm.assertLe(least, 600_000);
    }

    /// @dev Returns the smallest gas limit that the redeem accepts, or up to 20 more.
    function _leastGas(ICredits.RedeemRequest memory request, uint256 minimum) private returns (uint256) {
        bytes memory data = abi.encodeCall(ICredits.redeem, (request));
        for (uint256 gasLimit = minimum; gasLimit <= 2 * minimum; gasLimit += 20) {
            vm.prank(stranger);
            (bool success,) = address(credits).call{gas: gasLimit}(data);
            if (success) return gasLimit;
        }
        revert("never enough");
    }

    /// @dev A stranger supplies too little gas for the delivery, but enough to complete the redeem. The merchant
    /// catches the failure and keeps the money. The minimum gas of the whitelist entry prevents this.
    function test_minimumGas_protectsFromCaughtFailures() public {
        CatchingMerchant merchant = new CatchingMerchant(address(usdc));
        ICredits.Settlement memory settlement =
            _call(ICredits.Kind.Normal, address(merchant), abi.encodeCall(CatchingMerchant.buy, (DOLLAR)));
        ICredits.RedeemRequest memory request = _signed(settlement, DOLLAR);
        bytes memory data = abi.encodeCall(ICredits.redeem, (request));

        // With a minimum of nearly 0, the attack succeeds.
        _whitelist(block.chainid, address(merchant), 0, true, true, 1);
        uint256 snapshot = vm.snapshotState();
        vm.prank(stranger);
        (bool success,) = address(credits).call{gas: 400_000}(data);
        vm.assertTrue(success);
        vm.assertEq(merchant.paid(), 1);
        vm.assertEq(merchant.delivered(), 0, "the merchant was paid, but did not deliver");
        vm.revertToState(snapshot);

        _whitelist(block.chainid, address(merchant), 0, true, true, merchant.DELIVERY() * 64 / 63 + 100_000);
        for (uint256 gasLimit = 300_000; gasLimit < 1_200_000; gasLimit += 10_000) {
            vm.prank(stranger);
            (success,) = address(credits).call{gas: gasLimit}(data);
            vm.assertEq(merchant.paid(), merchant.delivered(), "paid exactly when delivered");
            if (success) return;
        }
        revert("never enough");
    }

    // Tokens

    function test_nft_revertsWhenTheHookWasFalse() public {
        ICredits.Settlement memory settlement =
            _attackNft(ICredits.Kind.SafeMint, abi.encodeCall(HostileMerchant.announce, (77)));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), _callFailed(abi.encodeWithSignature("ERC721NonexistentToken(uint256)", 77))
        );
    }

    function test_nft_revertsWhenTakenBack() public {
        ICredits.Settlement memory settlement =
            _attackNft(ICredits.Kind.SafeMint, abi.encodeCall(HostileMerchant.mintAndTakeBack, ()));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            _callFailed(abi.encodeWithSignature("ERC721InsufficientApproval(address,uint256)", address(credits), 1))
        );
    }

    function test_nft_revertsWhenSeventeenArrive() public {
        ICredits.Settlement memory settlement =
            _attackNft(ICredits.Kind.SafeMint, abi.encodeCall(HostileMerchant.safeMint, (17)));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), _callFailed(abi.encodeWithSelector(ICredits.TooManyTokens.selector, 16))
        );
    }

    /// @dev The receiver hooks refuse tokens that the redeem does not expect.
    function test_nft_revertsWhenNotExpected() public {
        SafeMintMerchant721 other = new SafeMintMerchant721(address(usdc));
        bytes memory hook =
            abi.encodeCall(IERC721Receiver.onERC721Received, (address(hostile), address(hostile), 1, ""));
        // A `normal` call expects no tokens.
        _redeem(_signed(_attack(abi.encodeCall(HostileMerchant.tryCall, (DOLLAR, address(credits), hook))), DOLLAR));
        assertFalse(hostile.lastSucceeded());
        vm.assertEq(hostile.lastAnswer(), abi.encodeWithSelector(ICredits.UnexpectedToken.selector, address(hostile)));
        vm.assertEq(other.balanceOf(address(credits)), 0);
    }

    function test_returned_throughHook() public {
        ICredits.Settlement memory settlement =
            _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.safeMintAndReturn, (1, 1)));
        _redeem(_signed(settlement, DOLLAR));
        vm.assertEq(hostile.ownerOf(1), customer);
    }

    function test_returned_revertsWhenOldTokenIsNamed() public {
        // A stranger left a token in the contract.
        hostile.mintTo(address(credits), 500);
        ICredits.Settlement memory settlement =
            _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.mintAndReturn, (0, 500)));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(hostile), 500)
        );
        // The receiver hook shows that the named token is not the minted one.
        settlement = _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.safeMintAndReturn, (1, 500)));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.UnexpectedToken.selector, address(hostile))
        );
    }

    /// @dev The merchant returns the ID of an older token in the contract instead of the token that it minted.
    function test_returned_revertsWhenOldTokenIsNamedForANewOne() public {
        hostile.mintTo(address(credits), 500);
        ICredits.Settlement memory settlement =
            _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.mintAndReturn, (1, 500)));
        bytes memory refusal = abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(hostile), 500);
        _expectRedeemReverts(_signed(settlement, DOLLAR), refusal);
        // The merchant mints two tokens. One of them would stay in the contract.
        settlement = _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.mintAndReturn, (2, 1)));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(hostile), 1)
        );
        // The merchant mints none, so the returned ID has no owner.
        settlement = _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.mintAndReturn, (0, 1)));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(hostile), 1)
        );
        // The merchant returns the minted token.
        settlement = _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.mintAndReturn, (1, 1)));
        _redeem(_signed(settlement, DOLLAR));
        vm.assertEq(hostile.ownerOf(1), customer);
        vm.assertEq(hostile.ownerOf(500), address(credits));
        // The same cases with a receiver hook.
        settlement = _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.safeMintAndReturn, (1, 2)));
        _redeem(_signed(settlement, DOLLAR));
        vm.assertEq(hostile.ownerOf(2), customer);
        vm.prank(admin);
        vm.expectEmit(address(credits));
        emit ITokenRescue.Rescued(address(hostile), 500, receiver);
        credits.rescueNft(IERC721(address(hostile)), 500, receiver);
        vm.assertEq(hostile.ownerOf(500), receiver);
        settlement = _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.mintAndReturn, (1, 3)));
        _redeem(_signed(settlement, DOLLAR));
        vm.assertEq(hostile.ownerOf(3), customer);
    }

    /// @dev The rescue function calls `transferFrom`, whose selector is the same for NFTs and USDC.
    function test_rescueToken_revertsWhenNotAllowed() public {
        vm.startPrank(admin);
        address[3] memory forbidden = [address(usdc), address(credits), address(adapter)];
        for (uint256 i = 0; i < forbidden.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, forbidden[i]));
            credits.rescueNft(IERC721(forbidden[i]), DOLLAR, receiver);
        }
        vm.stopPrank();
        hostile.mintTo(address(credits), 500);
        vm.prank(operator);
        vm.expectRevert(_unauthorized(operator, 0));
        credits.rescueNft(IERC721(address(hostile)), 500, receiver);
        // During a redeem, the token belongs to the customer.
        bytes memory data = abi.encodeCall(ICredits.rescueNft, (IERC721(address(hostile)), 500, receiver));
        _expectLocked(data);
    }

    /// @dev Return data that is shorter than a word, or that has more than 20 nonzero bytes, must not count as this contract's address.
    function test_nft_revertsWhenAnswersAreShort() public {
        ShortNft nft = new ShortNft();
        _allow(address(nft));
        ICredits.Settlement memory settlement =
            _call(ICredits.Kind.Returned, address(nft), abi.encodeCall(ShortNft.buy, ()));
        settlement.nftContract = address(nft);
        nft.answer(new bytes(31), abi.encode(address(credits)));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            abi.encodeWithSelector(ICredits.CallFailed.selector, address(nft), new bytes(31))
        );
        settlement = _call(ICredits.Kind.KnownTokenId, address(nft), abi.encodeCall(ShortNft.buy, ()));
        settlement.nftContract = address(nft);
        settlement.nftId = 5;
        bytes memory cut = new bytes(31);
        bytes memory whole = abi.encode(address(credits));
        for (uint256 i = 0; i < 31; ++i) {
            cut[i] = whole[i];
        }
        bytes[3] memory owners = [cut, bytes(""), abi.encode(uint256(uint160(address(credits))) | (uint256(1) << 160))];
        for (uint256 i = 0; i < owners.length; ++i) {
            nft.answer("", owners[i]);
            _expectRedeemReverts(
                _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(nft), 5)
            );
        }
        vm.assertEq(nft.moved(), 0);
        nft.answer("", whole);
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TokenAlreadyOwned.selector, address(nft), 5)
        );
    }

    /// @dev The customer is refunded the part of `amount` that the adapter does not take. The adapter cannot take that part later.
    function test_decent_refundsWhatTheAdapterLeaves() public {
        FrugalAdapter frugal = new FrugalAdapter(address(usdc));
        _openRoute();
        vm.prank(admin);
        credits.setBridgeAdapter(address(frugal));
        uint256 spent = 0;
        uint256[3] memory taken = [DOLLAR, 0, 3 * DOLLAR];
        for (uint256 i = 0; i < taken.length; ++i) {
            frugal.setTaken(taken[i]);
            spent += taken[i];
            ICredits.RedeemRequest memory request = _signed(_decent(DOLLAR), 3 * DOLLAR);
            vm.expectEmit(address(credits));
            _emitRedeemed(request, 3 * DOLLAR - taken[i]);
            _redeem(request);
            vm.assertEq(_customerCredits(), 1000 * DOLLAR - spent);
            vm.assertEq(credits.totalCredits(), 1000 * DOLLAR - spent);
            vm.assertEq(credits.surplus(), 0);
            vm.assertEq(usdc.allowance(address(credits), address(frugal)), 0);
        }
    }

    function test_returned_revertsWhenTwoArrive() public {
        ICredits.Settlement memory settlement =
            _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.mintAndReturn, (2, 1)));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(hostile), 1)
        );
    }

    function test_returned_revertsWhenGarbageIsReturned() public {
        ICredits.Settlement memory settlement =
            _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.returnBomb, (31)));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TokenIdNotReturned.selector, 31)
        );
        settlement =
            _attackNft(ICredits.Kind.Returned, abi.encodeCall(HostileMerchant.mintAndReturn, (1, type(uint256).max)));
        _expectRedeemReverts(
            _signed(settlement, DOLLAR),
            abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(hostile), type(uint256).max)
        );
    }

    /// @dev After empty return data, memory still contains older return data. The older data must not count as the owner.
    function test_nft_revertsWhenTheCallAnswersForTheOwner() public {
        ShortNft nft = new ShortNft();
        _allow(address(nft));
        ICredits.Settlement memory settlement = _call(
            ICredits.Kind.KnownTokenId, address(nft), abi.encodeCall(ShortNft.take, (IERC20(address(usdc)), DOLLAR))
        );
        settlement.nftContract = address(nft);
        settlement.nftId = 5;
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(nft), 5)
        );
    }

    /// @dev The revert reason of a failed call must not count as the owner.
    function test_nft_revertsWhenTheFailureNamesTheOwner() public {
        ShortNft nft = new ShortNft();
        _allow(address(nft));
        ICredits.Settlement memory settlement =
            _call(ICredits.Kind.KnownTokenId, address(nft), abi.encodeCall(ShortNft.refuse, ()));
        settlement.nftContract = address(nft);
        settlement.nftId = 5;
        _expectRedeemReverts(
            _signed(settlement, DOLLAR), abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(nft), 5)
        );
    }

    /// @dev An NFT contract makes every query and call of the credits contract expensive.
    function test_nft_bombs() public {
        BombNft nft = new BombNft();
        _allow(address(nft));
        ICredits.Kind[3] memory kinds = [ICredits.Kind.SafeMint, ICredits.Kind.Returned, ICredits.Kind.KnownTokenId];
        for (uint256 i = 0; i < kinds.length; ++i) {
            ICredits.Settlement memory settlement = _call(kinds[i], address(nft), abi.encodeCall(BombNft.buy, ()));
            settlement.nftContract = address(nft);
            settlement.nftId = kinds[i] == ICredits.Kind.KnownTokenId ? 5 : 0;
            ICredits.RedeemRequest memory request = _signed(settlement, DOLLAR);
            if (kinds[i] != ICredits.Kind.KnownTokenId) {
                _expectRedeemReverts(
                    request, abi.encodeWithSelector(ICredits.CallFailed.selector, address(nft), new bytes(1024))
                );
            }
            vm.prank(operator);
            (bool success,) = address(credits).call{gas: 3_000_000}(abi.encodeCall(ICredits.redeem, (request)));
            assertFalse(success);
            // Kind `KnownTokenId` queries the token before and after the call. Each query costs gas for the merchant's memory.
            vm.assertLe(vm.lastCallGas().gasTotalUsed, i == 2 ? 700_000 : 450_000);
        }
    }

    function _callFailed(bytes memory reason) private view returns (bytes memory) {
        return abi.encodeWithSelector(ICredits.CallFailed.selector, address(hostile), reason);
    }
}
