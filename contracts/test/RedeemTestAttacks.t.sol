// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {IUsdc} from "../src/IUsdc.sol";
import {RedeemTest} from "./RedeemTest.sol";
import {Test} from "./Test.sol";
import {CallerRules, EoaOnly} from "./mocks/CallerMerchants.sol";
import {
    KnownTokenIdMerchant,
    NormalMerchant,
    ReturnedMerchant,
    SafeMintMerchant1155,
    SafeMintMerchant721
} from "./mocks/HonestMerchants.sol";
import {OddPayments, TalkativeMerchant} from "./mocks/OddMerchants.sol";
import {RedeemCase} from "./redeem/RedeemStage.sol";
import {redeemTestVm} from "./redeem/RedeemTestVm.sol";
import {RedeemFinding, RedeemTexts} from "./redeem/RedeemTexts.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @dev Kinds of misbehaviour that `mocks/RuleBreakers.sol` does not cover, one function each.
contract OddShop {
    IUsdc private immutable _usdc;
    address private immutable _payer;
    uint256 public sold;
    mapping(uint256 slot => uint256) public shelf;

    error SoldOut(uint256 left);

    constructor(IUsdc usdc, address payer) {
        _usdc = usdc;
        _payer = payer;
    }

    function takeFromNamed(address payer, uint256 price) external {
        _usdc.transferFrom(payer, address(this), price);
    }

    function takeFromOrigin(uint256 price) external {
        _usdc.transferFrom(tx.origin, address(this), price);
    }

    /// @dev Pulls from the customer if an old approval allows it, otherwise from its caller.
    function takeFromWhoeverLetsIt(uint256 price) external {
        address payer = _usdc.allowance(_payer, address(this)) >= price ? _payer : msg.sender;
        _usdc.transferFrom(payer, address(this), price);
    }

    function takeOnTop(uint256 price) external {
        _usdc.transferFrom(msg.sender, address(this), price);
        if (_usdc.allowance(_payer, address(this)) != 0) _usdc.transferFrom(_payer, address(this), 1);
    }

    function sendHalfBack(uint256 price) external {
        _usdc.transferFrom(msg.sender, address(this), price);
        _usdc.transfer(msg.sender, price / 2);
    }

    function pullTwice(uint256 price) external {
        _usdc.transferFrom(msg.sender, address(this), price);
        _usdc.transferFrom(msg.sender, address(this), 1);
    }

    /// @dev Catches pulls that fail, and continues with one that succeeds, or with another that fails.
    function pullAfterFailures(address other, uint256 price, bool isSoldOut) external {
        try this.pull(other, price) {} catch {}
        try this.pull(msg.sender, 3 * price) {} catch {}
        _usdc.transferFrom(msg.sender, address(this), isSoldOut ? price : 2 * price);
        revert SoldOut(0);
    }

    /// @dev Reverts with its own error, as Solady's library does.
    function pullByLibrary(uint256 price) external {
        (bool success,) =
            address(_usdc).call(abi.encodeCall(_usdc.transferFrom, (msg.sender, address(this), 2 * price)));
        if (!success && address(_usdc).code.length != 0) revert SoldOut(0);
    }

    function pull(address from, uint256 amount) external {
        _usdc.transferFrom(from, address(this), amount);
    }

    function pullElsewhere(uint256 price) external {
        _usdc.transferFrom(msg.sender, address(0xBEEF), price);
    }

    function soldOut(uint256) external pure {
        revert SoldOut(0);
    }

    function rejectCaller(uint256) external view {
        revert IAccessControl.AccessControlUnauthorizedAccount(msg.sender, 0);
    }

    function payOut(uint256 price) external view {
        revert IERC20Errors.ERC20InsufficientBalance(msg.sender, 7, price);
    }

    function divideByZero(uint256 price) external view {
        price / sold;
    }

    function loop(uint256) external pure {
        while (true) {}
    }

    /// @dev Reverts with twenty megabytes of data.
    function bomb(uint256) external pure {
        assembly {
            revert(0, 20000000)
        }
    }

    function approveForEver(uint256 price) external {
        _usdc.transferFrom(msg.sender, address(this), price);
        _usdc.approve(address(0xBEEF), type(uint256).max);
        ++sold;
    }

    /// @dev The approved account spends the whole amount, so that no allowance remains.
    function approveAndSpend(Till till, uint256 price) external {
        _usdc.transferFrom(msg.sender, address(this), price);
        _usdc.approve(address(till), price);
        till.take(_usdc, price);
    }

    function reenterQuietly(uint256 price) external {
        _usdc.transferFrom(msg.sender, address(this), price);
        try ICredits(msg.sender).withdrawFees() {} catch {}
    }

    function readCredits(uint256 price) external {
        _usdc.transferFrom(msg.sender, address(this), price * (ICredits(msg.sender).totalCredits() == 0 ? 0 : 1));
    }

    function payable1Gwei(uint256 price) external payable {
        require(msg.value >= 1 gwei);
        _usdc.transferFrom(msg.sender, address(this), price);
    }

    function payableSoldOut(uint256) external payable {
        revert SoldOut(0);
    }

    /// @dev Makes two deliveries, each of which can fail unnoticed.
    function deliverTwice(uint256 price) external {
        _usdc.transferFrom(msg.sender, address(this), price);
        try this.deliver(1, 30) {} catch {}
        try this.deliver(1000, 30) {} catch {}
    }

    /// @dev Makes a delivery whose failure reverts the call.
    function deliverStrictly(uint256 price) external {
        _usdc.transferFrom(msg.sender, address(this), price);
        this.deliver(1, 30);
    }

    function deliver(uint256 first, uint256 count) external {
        require(msg.sender == address(this));
        for (uint256 i = 0; i < count; ++i) {
            shelf[first + i] = sold + 1;
        }
        ++sold;
    }
}

contract Till {
    function take(IUsdc usdc, uint256 price) external {
        usdc.transferFrom(msg.sender, address(this), price);
    }
}

contract Delegator {
    address private immutable _shop;

    constructor(address shop) {
        _shop = shop;
    }

    fallback() external payable {
        (bool success, bytes memory answer) = _shop.delegatecall(msg.data);
        assembly {
            switch success
            case 0 { revert(add(answer, 0x20), mload(answer)) }
            default { return(add(answer, 0x20), mload(answer)) }
        }
    }
}

contract OddTokens is ERC721 {
    IUsdc private immutable _usdc;
    uint256 public minted;
    bool public takesBack;
    bool public isSoulbound;

    constructor(IUsdc usdc) ERC721("Odd", "ODD") {
        _usdc = usdc;
    }

    modifier paid(uint256 price) {
        _usdc.transferFrom(msg.sender, address(this), price);
        _;
    }

    function setTakesBack() external {
        takesBack = true;
    }

    function setSoulbound() external {
        isSoulbound = true;
    }

    function mintOneHookless(uint256 price) external paid(price) {
        _safeMint(msg.sender, ++minted);
        _mint(msg.sender, ++minted);
    }

    function mintToOrigin(uint256 price) external paid(price) {
        _mint(tx.origin, ++minted);
    }

    function safeMintTo(address to, uint256 price) external paid(price) {
        _safeMint(to, ++minted);
    }

    function mintAndSendHalfBack(uint256 price) external paid(price) {
        _mint(msg.sender, ++minted);
        _usdc.transfer(msg.sender, price / 2);
    }

    function returnWrongId(uint256 price) external paid(price) returns (uint256) {
        _mint(msg.sender, ++minted);
        return minted + 1;
    }

    function returnOthersId(uint256 price) external paid(price) returns (uint256) {
        _mint(address(0xBEEF), ++minted);
        return minted;
    }

    function mintNothing(uint256 price) external paid(price) returns (uint256) {}

    /// @dev Takes the token back while it is being forwarded to the customer.
    function _update(address to, uint256 id, address auth) internal override returns (address from) {
        from = super._update(to, id, auth);
        require(!isSoulbound || from == address(0), "OddTokens: soulbound");
        if (takesBack && from != address(0) && to != address(this)) super._update(address(this), id, address(0));
    }
}

/// @dev An ERC-1155 contract that does not call the receiver's hook.
contract HooklessTokens is ERC1155 {
    IUsdc private immutable _usdc;

    constructor(IUsdc usdc) ERC1155("") {
        _usdc = usdc;
    }

    function mint(uint256 price) external {
        _usdc.transferFrom(msg.sender, address(this), price);
        uint256[] memory ids = new uint256[](1);
        uint256[] memory values = new uint256[](1);
        (ids[0], values[0]) = (5, 2);
        _update(address(0), msg.sender, ids, values);
    }
}

contract RedeemTestAttacks is Test, RedeemTest {
    uint256 private constant PRICE = 10_000_000;

    OddShop private shop;
    OddTokens private tokens;

    function setUp() public {
        shop = new OddShop(redeemUsdc(), redeemCustomer());
        tokens = new OddTokens(redeemUsdc());
    }

    // Payment

    function test_takesFromCustomer() public {
        _breaks("PULLS_FROM_OTHERS", abi.encodeCall(OddShop.takeFromNamed, (redeemCustomer(), PRICE)));
    }

    function test_takesFromOrigin() public {
        _breaks("PULLS_FROM_OTHERS", abi.encodeCall(OddShop.takeFromOrigin, (PRICE)));
    }

    function test_takesFromCustomerWhoApprovedIt() public {
        redeemFund(redeemCustomer(), PRICE);
        vm.prank(redeemCustomer());
        redeemUsdc().approve(address(shop), PRICE);
        bytes memory data = abi.encodeCall(OddShop.takeFromNamed, (redeemCustomer(), PRICE));
        RedeemFinding[] memory findings = judgeRedeem(_redeemCase(address(shop), data, PRICE, ICredits.Kind.Normal));
        vm.assertEq(findings.length, 2);
        vm.assertEq(findings[0].code, "PULLS_FROM_OTHERS");
        vm.assertEq(findings[1].code, "PULLS_NOTHING");
    }

    function test_prefersAnOldApproval() public {
        _breaks("PULLS_FROM_OTHERS", abi.encodeCall(OddShop.takeFromWhoeverLetsIt, (PRICE)));
    }

    function test_takesOnTop() public {
        _breaks("PULLS_FROM_OTHERS", abi.encodeCall(OddShop.takeOnTop, (PRICE)));
    }

    function test_sendsHalfBack() public {
        _breaks("PULLS_LESS", abi.encodeCall(OddShop.sendHalfBack, (PRICE)));
    }

    function test_pullsTwice() public {
        _breaks("PULLS_MORE", abi.encodeCall(OddShop.pullTwice, (PRICE)));
    }

    /// @dev A pull whose failure the shop caught took nothing, and is not why the call failed.
    function test_catchesPulls() public {
        address other = address(0xBEEF);
        _breaks("CALL_REVERTS", abi.encodeCall(OddShop.pullAfterFailures, (other, PRICE, true)));
        bytes memory data = abi.encodeCall(OddShop.pullAfterFailures, (other, PRICE, false));
        string memory text = judgeRedeem(_redeemCase(address(shop), data, PRICE, ICredits.Kind.Normal))[0].text;
        vm.assertTrue(vm.contains(text, "PULLS_MORE: wanted 20000000 of 10000000."));
        data = abi.encodeCall(OddShop.pullAfterFailures, (redeemCustomer(), PRICE, true));
        _breaks("PULLS_FROM_OTHERS", data);
    }

    function test_pullsByLibrary() public {
        _breaks("PULLS_MORE", abi.encodeCall(OddShop.pullByLibrary, (PRICE)));
    }

    function test_payeeIsAnotherAddress() public {
        _settles(abi.encodeCall(OddShop.pullElsewhere, (PRICE)));
    }

    // Failure

    function test_ownError() public {
        _breaks("CALL_REVERTS", abi.encodeCall(OddShop.soldOut, (PRICE)));
    }

    function test_panic() public {
        bytes memory data = abi.encodeCall(OddShop.divideByZero, (PRICE));
        _breaks("CALL_REVERTS", data);
        string memory text = judgeRedeem(_redeemCase(address(shop), data, PRICE, ICredits.Kind.Normal))[0].text;
        vm.assertTrue(vm.contains(text, " reverted: panic 18: division by zero. Find the failing call "), text);
    }

    function test_endlessLoop() public {
        _breaks("CALL_REVERTS", abi.encodeCall(OddShop.loop, (PRICE)));
    }

    function test_returnBomb() public {
        _breaks("CALL_REVERTS", abi.encodeCall(OddShop.bomb, (PRICE)));
    }

    function test_noSuchFunction() public {
        _breaks("CALL_REVERTS", abi.encodeWithSignature("buyNothing(uint256)", PRICE));
    }

    function test_needsAGwei() public {
        _breaks("NEEDS_NATIVE_COIN", abi.encodeCall(OddShop.payable1Gwei, (PRICE)));
    }

    function test_payableThatFailsAnyway() public {
        _breaks("CALL_REVERTS", abi.encodeCall(OddShop.payableSoldOut, (PRICE)));
    }

    // Whitelist

    function test_transferOfAToken() public {
        _breaks("SELECTOR_NOT_WHITELISTED", abi.encodeWithSignature("transfer(address,uint256)", address(1), PRICE));
    }

    function test_shortData() public {
        _breaks("SELECTOR_NOT_WHITELISTED", hex"123456");
    }

    function test_targetsThatCanHaveNoEntry() public {
        bytes memory data = abi.encodeCall(OddShop.pullElsewhere, (PRICE));
        address[4] memory targets = [
            address(redeemUsdc()), address(redeemCredits()), 0x000000000022D473030F116dDEE9F6B43aC78BA3, address(0xBEEF)
        ];
        for (uint256 i = 0; i < targets.length; ++i) {
            _breaks("NOT_WHITELISTED", _redeemCase(targets[i], data, PRICE, ICredits.Kind.Normal));
        }
    }

    function test_ownWhitelist() public {
        whitelistRedeem(address(shop), OddShop.pullElsewhere.selector, 50_000);
        _settles(abi.encodeCall(OddShop.pullElsewhere, (PRICE)));
        _breaks("SELECTOR_NOT_WHITELISTED", abi.encodeCall(OddShop.pullTwice, (PRICE)));
        _breaks(
            "NOT_WHITELISTED",
            _redeemCase(address(tokens), abi.encodeCall(OddTokens.mintToOrigin, (PRICE)), PRICE, ICredits.Kind.Normal)
        );
    }

    // Approvals and tokens that stay behind

    function test_approvesForEver() public {
        _breaks("LEAVES_ALLOWANCE", abi.encodeCall(OddShop.approveForEver, (PRICE)));
    }

    function test_approvalThatIsSpent() public {
        _settles(abi.encodeCall(OddShop.approveAndSpend, (new Till(), PRICE)));
    }

    function test_reentersQuietly() public {
        _breaks("REENTERS", abi.encodeCall(OddShop.reenterQuietly, (PRICE)));
    }

    function test_readsTheCreditsContract() public {
        _settles(abi.encodeCall(OddShop.readCredits, (PRICE)));
    }

    // Gas

    function test_missesOneOfTwoDeliveries() public {
        _breaks("KEEPS_MONEY_ON_SHORT_GAS", abi.encodeCall(OddShop.deliverTwice, (PRICE)));
    }

    function test_entryWithEnoughGas() public {
        whitelistRedeem(address(shop), OddShop.deliverTwice.selector, 2_000_000);
        _settles(abi.encodeCall(OddShop.deliverTwice, (PRICE)));
    }

    function test_failureThatIsNotCaught() public {
        _settles(abi.encodeCall(OddShop.deliverStrictly, (PRICE)));
    }

    // Proxies

    function test_proxyOfAGoodShop() public {
        address proxy = address(new Delegator(address(shop)));
        assertSettles(proxy, abi.encodeCall(OddShop.pullElsewhere, (PRICE)), PRICE, ICredits.Kind.Normal);
    }

    function test_proxyOfABadShop() public {
        address proxy = address(new Delegator(address(shop)));
        bytes memory data = abi.encodeCall(OddShop.sendHalfBack, (PRICE));
        _breaks("PULLS_LESS", _redeemCase(proxy, data, PRICE, ICredits.Kind.Normal));
    }

    // Tokens

    function test_oneOfTwoWithoutHook() public {
        _breaksToken("MINTS_WITHOUT_HOOK", abi.encodeCall(OddTokens.mintOneHookless, (PRICE)), ICredits.Kind.SafeMint);
    }

    function test_mintsToRelayerAsSafeMint() public {
        _breaksToken("MINTS_WITHOUT_HOOK", abi.encodeCall(OddTokens.mintToOrigin, (PRICE)), ICredits.Kind.SafeMint);
    }

    function test_safeMintAsNormal() public {
        bytes memory data = abi.encodeCall(OddTokens.safeMintTo, (address(redeemCredits()), PRICE));
        _breaksToken("NFT_STAYS_BEHIND", data, ICredits.Kind.Normal);
    }

    function test_safeMintToCustomerAsNormal() public {
        bytes memory data = abi.encodeCall(OddTokens.safeMintTo, (redeemCustomer(), PRICE));
        assertSettles(address(tokens), data, PRICE, ICredits.Kind.Normal);
        vm.assertEq(tokens.ownerOf(1), redeemCustomer());
    }

    function test_safeMintToCustomerAsSafeMint() public {
        bytes memory data = abi.encodeCall(OddTokens.safeMintTo, (redeemCustomer(), PRICE));
        _breaksToken("MINTS_WITHOUT_HOOK", data, ICredits.Kind.SafeMint);
    }

    function test_returnsWrongId() public {
        _breaksToken("WRONG_NFT_ID", abi.encodeCall(OddTokens.returnWrongId, (PRICE)), ICredits.Kind.Returned);
    }

    function test_returnsOthersId() public {
        _breaksToken("WRONG_NFT_ID", abi.encodeCall(OddTokens.returnOthersId, (PRICE)), ICredits.Kind.Returned);
    }

    function test_returnsIdOfNothing() public {
        _breaksToken("WRONG_NFT_ID", abi.encodeCall(OddTokens.mintNothing, (PRICE)), ICredits.Kind.Returned);
    }

    function test_tokenTakenBack() public {
        tokens.setTakesBack();
        bytes memory data = abi.encodeCall(OddTokens.safeMintTo, (address(redeemCredits()), PRICE));
        _breaksToken("WRONG_NFT_ID", data, ICredits.Kind.SafeMint);
    }

    function test_hookless1155() public {
        HooklessTokens hookless = new HooklessTokens(redeemUsdc());
        bytes memory data = abi.encodeCall(HooklessTokens.mint, (PRICE));
        _breaks("MINTS_WITHOUT_HOOK", _redeemCase(address(hookless), data, PRICE, ICredits.Kind.SafeMint));
        _breaks("NFT_STAYS_BEHIND", _redeemCase(address(hookless), data, PRICE, ICredits.Kind.Normal));
    }

    function test_severalIdsOf1155() public {
        SafeMintMerchant1155 batch = new SafeMintMerchant1155(address(redeemUsdc()));
        uint256[] memory ids = new uint256[](3);
        (ids[0], ids[1], ids[2]) = (4, 9, 4);
        uint256[] memory amounts = new uint256[](3);
        (amounts[0], amounts[1], amounts[2]) = (1, 2, 3);
        bytes memory data = abi.encodeCall(SafeMintMerchant1155.mintBatch, (ids, amounts, PRICE));
        assertSettles(address(batch), data, PRICE, ICredits.Kind.SafeMint);
        vm.assertEq(batch.balanceOf(redeemCustomer(), 4), 4);
        vm.assertEq(batch.balanceOf(redeemCustomer(), 9), 2);
    }

    function test_moreTokensThanARedeemForwards() public {
        SafeMintMerchant721 many = new SafeMintMerchant721(address(redeemUsdc()));
        bytes memory data = abi.encodeCall(SafeMintMerchant721.mint, (17, PRICE));
        RedeemCase memory redeemCase = _redeemCase(address(many), data, PRICE, ICredits.Kind.SafeMint);
        _breaks("CALL_REVERTS", redeemCase);
        string memory text = judgeRedeem(redeemCase)[0].text;
        vm.assertTrue(vm.contains(text, " reverted: TooManyTokens(16). Mint at most 16 tokens in one redeem."));
    }

    function test_tokenThatCannotBeForwarded() public {
        tokens.setSoulbound();
        bytes memory data = abi.encodeCall(OddTokens.safeMintTo, (address(redeemCredits()), PRICE));
        RedeemCase memory redeemCase = _redeemCase(address(tokens), data, PRICE, ICredits.Kind.SafeMint);
        _breaks("CALL_REVERTS", redeemCase);
        string memory text = judgeRedeem(redeemCase)[0].text;
        vm.assertTrue(vm.contains(text, " reverted: OddTokens: soulbound. Allow msg.sender, "), text);
    }

    /// @dev One contract checks whether its caller is a member. The other sells only to accounts without code.
    function test_callerIsRejected() public {
        CallerRules rules = new CallerRules(address(redeemUsdc()));
        _rejectsCaller(address(rules), abi.encodeCall(CallerRules.buyAsMember, (redeemCustomer(), PRICE)));
        address eoaOnly = address(new EoaOnly(address(redeemUsdc())));
        _rejectsCaller(eoaOnly, abi.encodeCall(EoaOnly.buy, (redeemCustomer(), PRICE)));
    }

    function _rejectsCaller(address merchant, bytes memory data) private {
        string memory text = judgeRedeem(_redeemCase(merchant, data, PRICE, ICredits.Kind.Normal))[0].text;
        vm.assertTrue(vm.contains(text, "msg.sender is the credits contract for every customer"), text);
    }

    // The odd merchants, which the TypeScript tests check too

    function test_oddPayments() public {
        address odd = address(new OddPayments(address(redeemUsdc())));
        _breaksOdd("PULLS_FROM_OTHERS", odd, abi.encodeCall(OddPayments.buyOfOrigin, (PRICE)));
        _breaksOdd("PULLS_FROM_OTHERS", odd, abi.encodeCall(OddPayments.buyFromAnybody, (redeemCustomer(), PRICE)));
        _breaksOdd("PULLS_MORE", odd, abi.encodeCall(OddPayments.buyTwice, (PRICE)));
        _breaksOdd("PULLS_LESS", odd, abi.encodeCall(OddPayments.buyAndSendBack, (redeemCustomer(), PRICE)));
        _breaksOdd("NEEDS_NATIVE_COIN", odd, abi.encodeCall(OddPayments.buyWithCoin, (PRICE)));
        bytes memory data = abi.encodeCall(OddPayments.buyWithPlentyOfGas, (redeemCustomer(), PRICE));
        _breaksOdd("KEEPS_MONEY_ON_SHORT_GAS", odd, data);
    }

    function test_eventsThatAreNotTrue() public {
        address liar = address(new TalkativeMerchant(address(redeemUsdc())));
        bytes memory data = abi.encodeCall(TalkativeMerchant.pretendMint, (redeemCustomer(), PRICE));
        _breaksOdd("NFT_STAYS_BEHIND", liar, data);
        data = abi.encodeCall(TalkativeMerchant.pretendReceiver, (redeemCustomer(), PRICE));
        _breaksOdd("NFT_STAYS_BEHIND", liar, data);
    }

    function _breaksOdd(string memory code, address target, bytes memory data) private {
        _breaks(code, _redeemCase(target, data, PRICE, ICredits.Kind.Normal));
    }

    // Using it in a suite

    function test_leavesTheRedeemDone() public {
        NormalMerchant normal = new NormalMerchant(address(redeemUsdc()));
        bytes memory data = abi.encodeCall(NormalMerchant.buy, (redeemCustomer(), PRICE));
        assertSettles(address(normal), data, PRICE, ICredits.Kind.Normal);
        assertSettles(address(normal), data, PRICE, ICredits.Kind.Normal);
        vm.assertEq(normal.paidFor(redeemCustomer()), 2 * PRICE);
        vm.assertEq(redeemUsdc().balanceOf(address(normal)), 2 * PRICE);
    }

    function test_redeem() public {
        NormalMerchant normal = new NormalMerchant(address(redeemUsdc()));
        bytes memory data = abi.encodeCall(NormalMerchant.buy, (redeemCustomer(), PRICE));
        redeem(address(normal), data, PRICE, ICredits.Kind.Normal);
        vm.assertEq(normal.orders(), 1);
    }

    function test_redeem_revertsAsCreditsDoes() public {
        bytes memory reason = abi.encodeWithSelector(OddShop.SoldOut.selector, 0);
        vm.expectRevert(abi.encodeWithSelector(ICredits.CallFailed.selector, address(shop), reason));
        this.redeemSoldOut();
    }

    function redeemSoldOut() external {
        redeem(address(shop), abi.encodeCall(OddShop.soldOut, (PRICE)), PRICE, ICredits.Kind.Normal);
    }

    function test_usdcOfTheCustomer() public {
        NormalMerchant normal = new NormalMerchant(address(redeemUsdc()));
        RedeemCase memory redeemCase;
        redeemCase.target = address(normal);
        redeemCase.data = abi.encodeCall(NormalMerchant.buy, (redeemCustomer(), PRICE));
        redeemCase.amount = PRICE;
        redeemCase.kind = ICredits.Kind.Normal;
        redeemCase.usdcAmount = 4_000_000;
        assertSettles(redeemCase);
        redeemCase.usdcAmount = PRICE;
        assertSettles(redeemCase);
        vm.assertEq(normal.paidFor(redeemCustomer()), 2 * PRICE);
        vm.assertEq(redeemUsdc().balanceOf(redeemCustomer()), 0);
    }

    function test_knownTokenId() public {
        KnownTokenIdMerchant known = new KnownTokenIdMerchant(address(redeemUsdc()));
        known.list(3, PRICE);
        bytes memory data = abi.encodeCall(KnownTokenIdMerchant.buy, (3));
        assertSettles(address(known), data, PRICE, ICredits.Kind.KnownTokenId, address(known), 3);
        vm.assertEq(known.ownerOf(3), redeemCustomer());
    }

    function test_token() public {
        assertSettles(address(0xBEEF), "", PRICE, ICredits.Kind.Token);
        vm.assertEq(redeemUsdc().balanceOf(address(0xBEEF)), PRICE);
    }

    function test_acceptsARule() public {
        acceptRedeemRule("PULLS_LESS");
        _settles(abi.encodeCall(OddShop.sendHalfBack, (PRICE)));
    }

    function test_failureBeginsWithTheCode() public {
        vm.expectRevert(
            bytes(
                "PULLS_LESS: pulled 10000000 of 10000000, and sent 5000000 back to msg.sender. If the price is fixed, take the whole amount with transferFrom, or lower the subtotal to the price. What the contract does not take is returned to the customer as credits. Send nothing back to msg.sender."
            )
        );
        this.settlesThoughHalfIsSentBack();
    }

    function settlesThoughHalfIsSentBack() external {
        _settles(abi.encodeCall(OddShop.sendHalfBack, (PRICE)));
    }

    function test_failureNamesEachBrokenRule() public {
        try this.settlesWithTwoFaults() {
            vm.assertTrue(false, "no rule is broken");
        } catch Error(string memory text) {
            vm.assertTrue(vm.contains(text, "PULLS_LESS: "), text);
            vm.assertTrue(vm.contains(text, "\nNFT_STAYS_BEHIND: "), text);
        }
    }

    function settlesWithTwoFaults() external {
        bytes memory data = abi.encodeCall(OddTokens.mintAndSendHalfBack, (PRICE));
        assertSettles(address(tokens), data, PRICE, ICredits.Kind.Normal);
    }

    /// @dev The rest of the amount returns to the customer as credits.
    function test_settlesForLess() public {
        NormalMerchant normal = new NormalMerchant(address(redeemUsdc()));
        bytes memory data = abi.encodeCall(NormalMerchant.buy, (redeemCustomer(), PRICE - 1));
        assertSettles(address(normal), data, PRICE, ICredits.Kind.Normal);
        vm.assertEq(normal.paidFor(redeemCustomer()), PRICE - 1);
        assertBreaks("PULLS_LESS", address(normal), data, PRICE, ICredits.Kind.Normal);
    }

    /// @dev The redeem fails. A run without tokens shows the amount that the call takes.
    function test_everyRuleOfAFailedRedeem() public {
        address hookless = vm.deployCode("RuleBreakers.sol:MintsWithoutHook", abi.encode(redeemUsdc()));
        bytes memory data = abi.encodeWithSignature("mint(uint256)", PRICE / 2);
        RedeemFinding[] memory findings = judgeRedeem(_redeemCase(hookless, data, PRICE, ICredits.Kind.SafeMint));
        vm.assertEq(findings.length, 2);
        vm.assertEq(findings[0].code, "MINTS_WITHOUT_HOOK");
        vm.assertEq(findings[1].code, "PULLS_LESS");
    }

    function test_namesKnownErrors() public {
        RedeemCase memory redeemCase =
            _redeemCase(address(shop), abi.encodeCall(OddShop.rejectCaller, (PRICE)), PRICE, ICredits.Kind.Normal);
        string memory caller = redeemTestVm.toString(address(redeemCredits()));
        string memory text = judgeRedeem(redeemCase)[0].text;
        vm.assertTrue(vm.contains(text, string.concat("AccessControlUnauthorizedAccount(", caller, ", 0x00")));
        redeemCase.data = abi.encodeCall(OddShop.payOut, (PRICE));
        text = judgeRedeem(redeemCase)[0].text;
        vm.assertTrue(vm.contains(text, string.concat("ERC20InsufficientBalance(", caller, ", 7, 10000000).")));
    }

    /// @dev A known or returned ID is that of an ERC-721 token.
    function test_idOfAnErc1155Token() public {
        address items = address(new SafeMintMerchant1155(address(redeemUsdc())));
        bytes memory data = abi.encodeCall(SafeMintMerchant1155.mint, (7, 1, PRICE));
        RedeemCase memory redeemCase = RedeemCase(items, data, PRICE, ICredits.Kind.KnownTokenId, items, 7, 0);
        RedeemFinding[] memory findings = judgeRedeem(redeemCase);
        vm.assertEq(findings[0].code, "WRONG_NFT_ID");
        vm.assertTrue(vm.contains(findings[0].text, " is an ERC-1155 token: declare the type `safeMint`. "));
        redeemCase = _redeemCase(items, data, PRICE, ICredits.Kind.Returned);
        findings = judgeRedeem(redeemCase);
        vm.assertEq(findings[0].code, "WRONG_NFT_ID");
        vm.assertTrue(vm.contains(findings[0].text, " does not support balanceOf(address): "));
    }

    /// @dev The credits contract then calls itself.
    function test_returnedBesideAnOlderToken() public {
        ReturnedMerchant merchant = new ReturnedMerchant(address(redeemUsdc()));
        redeemFund(address(this), PRICE);
        redeemUsdc().approve(address(merchant), PRICE);
        merchant.transferFrom(address(this), address(redeemCredits()), merchant.mint(PRICE));
        bytes memory data = abi.encodeCall(ReturnedMerchant.mint, (PRICE));
        assertSettles(address(merchant), data, PRICE, ICredits.Kind.Returned);
    }

    function test_assertBreaks() public {
        bytes memory data = abi.encodeCall(OddShop.sendHalfBack, (PRICE));
        assertBreaks("PULLS_LESS", address(shop), data, PRICE, ICredits.Kind.Normal);
    }

    function test_assertBreaks_failsForAGoodShop() public {
        vm.expectRevert(abi.encodeWithSelector(RedeemRuleNotBroken.selector, "PULLS_LESS", "no rule is broken"));
        this.breaks("PULLS_LESS");
    }

    function test_assertBreaks_failsForAMisspeltCode() public {
        vm.expectRevert(abi.encodeWithSelector(RedeemTexts.UnknownRedeemRule.selector, "PULL_LESS"));
        this.breaks("PULL_LESS");
    }

    function breaks(string calldata code) external {
        assertBreaks(code, address(shop), abi.encodeCall(OddShop.pullElsewhere, (PRICE)), PRICE, ICredits.Kind.Normal);
    }

    /// @dev On a fresh chain with the ID of a real chain, the mock has the real USDC's address.
    function test_usdcAtItsRealAddress() public {
        vm.chainId(8453);
        vm.assertEq(address(redeemUsdc()), 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913);
        vm.assertTrue(address(redeemUsdc()).code.length != 0);
    }

    /// @dev After `vm.createSelectFork`, the credits contract exists, but its USDC does not.
    function test_anotherChainLater() public {
        ICredits first = redeemCredits();
        vm.chainId(8453);
        NormalMerchant normal = new NormalMerchant(address(redeemUsdc()));
        bytes memory data = abi.encodeCall(NormalMerchant.buy, (redeemCustomer(), PRICE));
        assertSettles(address(normal), data, PRICE, ICredits.Kind.Normal);
        vm.assertTrue(address(redeemCredits()) != address(first));
    }

    // Asserts that exactly one rule is broken

    function _settles(bytes memory data) private {
        assertSettles(address(shop), data, PRICE, ICredits.Kind.Normal);
    }

    function _breaks(string memory code, bytes memory data) private {
        _breaks(code, _redeemCase(address(shop), data, PRICE, ICredits.Kind.Normal));
    }

    function _breaksToken(string memory code, bytes memory data, ICredits.Kind kind) private {
        _breaks(code, _redeemCase(address(tokens), data, PRICE, kind));
    }

    function _breaks(string memory code, RedeemCase memory redeemCase) private {
        RedeemFinding[] memory findings = judgeRedeem(redeemCase);
        vm.assertEq(findings.length, 1, findings.length == 0 ? "no rule is broken" : findings[findings.length - 1].text);
        vm.assertEq(findings[0].code, code);
    }
}
