// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Where cross-chain orders are paid in
/// @notice Takes a deposit and ties it to an order by a 32-byte id. The venue
/// watches the two events, fills the order on the other chain, and its allocator
/// takes the deposits out again to refill the solver or to refund.
/// Functions and events are those of Relay's depository.
contract Depository {
    /// @notice The only account that can take deposits out.
    address public immutable allocator;

    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);
    event Withdrawal(address token, address to, uint256 amount, bytes32 id);

    error NotAllocator(address caller);
    error NativeTransferFailed();
    error TokenCallFailed(address token);

    constructor(address allocator_) {
        allocator = allocator_;
    }

    modifier onlyAllocator() {
        if (msg.sender != allocator) revert NotAllocator(msg.sender);
        _;
    }

    /// @param depositor who the deposit is credited to; zero stands for the caller.
    function depositNative(address depositor, bytes32 id) external payable {
        emit RelayNativeDeposit(_orCaller(depositor), msg.value, id);
    }

    /// @notice Deposits `amount` base units, which the caller must have approved.
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) public {
        _call(token, abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, address(this), amount));
        emit RelayErc20Deposit(_orCaller(depositor), token, amount, id);
    }

    /// @notice Deposits all that the caller has approved.
    function depositErc20(address depositor, address token, bytes32 id) external {
        depositErc20(depositor, token, IAllowance(token).allowance(msg.sender, address(this)), id);
    }

    /// @notice Pays native coin out, for the order `id`.
    function withdrawNative(address to, uint256 amount, bytes32 id) external onlyAllocator {
        (bool paid,) = to.call{value: amount}("");
        if (!paid) revert NativeTransferFailed();
        emit Withdrawal(address(0), to, amount, id);
    }

    /// @notice Pays a token out, for the order `id`.
    function withdrawErc20(address token, address to, uint256 amount, bytes32 id) external onlyAllocator {
        _call(token, abi.encodeWithSignature("transfer(address,uint256)", to, amount));
        emit Withdrawal(token, to, amount, id);
    }

    function _orCaller(address depositor) private view returns (address) {
        return depositor == address(0) ? msg.sender : depositor;
    }

    /// @dev Some tokens return nothing and some return false; only `true` or
    /// silence from an account with code is success.
    function _call(address token, bytes memory data) private {
        (bool ok, bytes memory result) = token.call(data);
        if (!ok || token.code.length == 0 || (result.length != 0 && !abi.decode(result, (bool)))) {
            revert TokenCallFailed(token);
        }
    }
}

interface IAllowance {
    function allowance(address owner, address spender) external view returns (uint256);
}
